"""What goes on around the documents: the client's settings, files that change on disk, folders that come and go."""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types

from sakaime.lsp.home import SETTINGS_FILES
from sakaime.lsp.options import SECTION, options_of
from sakaime.lsp.server import Server
from sakaime.lsp.status import roots
from sakaime.lsp.uris import path_of

# What git writes when HEAD moves to another branch, and when a commit is made.
_OF_GIT = ("**/.git/HEAD", "**/.git/logs/HEAD", "**/.git/packed-refs", "**/.git/refs/remotes/**")
_log = logging.getLogger("sakaime")


def add(server: Server) -> None:
    """Takes part in what the client tells of it."""
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_configured)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_files_changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders_changed)


async def _initialized(server: Server, _params: types.InitializedParams) -> None:
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    configured = workspace.did_change_configuration if workspace else None
    wanted = []
    if watched and watched.dynamic_registration:
        globs = [*(f"**/{name}" for name in SETTINGS_FILES), *_OF_GIT, "**/*"]
        watchers = [types.FileSystemWatcher(glob) for glob in globs]
        wanted.append(
            types.Registration(
                "sakaime-files",
                types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                types.DidChangeWatchedFilesRegistrationOptions(watchers),
            )
        )
    if configured and configured.dynamic_registration:
        wanted.append(
            types.Registration(
                "sakaime-settings",
                types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                types.DidChangeConfigurationRegistrationOptions(section=SECTION),
            )
        )
    if wanted:
        server.client_register_capability(types.RegistrationParams(wanted))
    await _ask_for_settings(server)
    for root in roots(path_of(folder.uri) for folder in server.workspace.folders.values()):
        await server.warm_root(root)
    server.tell_status()


async def _configured(server: Server, params: types.DidChangeConfigurationParams) -> None:
    if isinstance(params.settings, dict) and SECTION in params.settings:
        _take(server, params.settings[SECTION])
    await _ask_for_settings(server)


async def _ask_for_settings(server: Server) -> None:
    workspace = server.client_capabilities.workspace
    if not (workspace and workspace.configuration):
        return
    wanted = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        given = await asyncio.shield(server.workspace_configuration_async(wanted))
    except Exception as error:  # a client that says it can and then cannot
        _log.warning("the client does not tell its settings: %s", error)
        return
    for one in given or ():
        _take(server, one)


def _take(server: Server, given: object) -> None:
    before = server.options
    # What is trusted, and whose commands they are, was settled at the start.
    server.options = options_of(given, before).replace(trusted=before.trusted, commands=before.commands)
    if server.options != before:
        server.bases.ref = server.options.base
        server.look_again()


def _files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    paths = [change.uri for change in params.changes]
    if any(_decides(uri) for uri in paths) or server.rulings.moved():
        server.look_again()
    else:
        server.stir()


def _decides(uri: str) -> bool:
    return uri.rsplit("/", 1)[-1] in SETTINGS_FILES or "/.git/" in uri


def _folders_changed(server: Server, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    server.stir()
    server.tell_status()
