"""The protocol as recorded clients speak it; pytest-lsp checks every message against what they announced."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsp_fixtures import deploy_kit, sakaime_script
from lsprotocol import types

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]


@pytest.mark.parametrize("profile", ["neovim@v0.11.0", "emacs@v29.1", "visual_studio_code@v1.65.2"])
def test_a_client_gets_the_finding_once_and_the_fix(tmp_path: Path, profile: str) -> None:
    file = deploy_kit(tmp_path / "kit") / "config" / "app.yml"
    asyncio.run(_opens(file, profile))


async def _opens(file: Path, profile: str) -> None:
    import pytest_lsp

    uri, text = file.as_uri(), file.read_text(encoding="utf-8")
    capabilities = pytest_lsp.client_capabilities(profile)
    client: Any = await pytest_lsp.ClientServerConfig(server_command=[sakaime_script(), "lsp"]).start()
    try:
        await client.initialize_session(types.InitializeParams(capabilities=capabilities))
        item = types.TextDocumentItem(uri=uri, language_id="yaml", version=1, text=text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        document = types.TextDocumentIdentifier(uri=uri)
        if capabilities.text_document is not None and capabilities.text_document.diagnostic is not None:
            report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document))
            found = report.items
            assert uri not in client.diagnostics, "pulled and pushed"
        else:
            await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            found = client.diagnostics[uri]
        diagnostic, left = sorted(found, key=lambda one: one.range.start.line)
        assert diagnostic.range.start.line == 3 and diagnostic.code.startswith("ja/")
        assert left.range.start.line == 5 and left.code == "core/development-value"
        context = types.CodeActionContext(diagnostics=[diagnostic])
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(text_document=document, range=diagnostic.range, context=context)
        )
        (action,) = [one for one in actions if one.title == "Remove this note"]
        assert action.kind == types.CodeActionKind.QuickFix
        abilities = capabilities.text_document.code_action if capabilities.text_document else None
        if abilities is not None and abilities.resolve_support is not None:
            action = await client.code_action_resolve_async(action)
        assert action.edit is not None
    finally:
        await client.shutdown_session()  # a server that nobody shuts down is waited for
        await client.stop()
