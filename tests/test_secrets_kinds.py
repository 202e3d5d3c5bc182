"""How each grammar writes a fallback, a wrapped literal, a name beside its value, a login, a reference."""

from __future__ import annotations

import pytest
from secrets_fixtures import secrets_in

FALLBACKS = [
    ("src/Db.java", 'String password = env.getOrDefault("DB_PASSWORD", "123456");'),
    ("src/Db.java", 'String password = System.getProperty("db.password", "changeme");'),
    ("src/Db.java", 'String p = System.getProperty("db.password", "changeme");'),
    ("src/Db.java", 'String v = Optional.ofNullable(System.getenv("DB_PASSWORD")).orElse("changeme");'),
    ("src/Db.java", 'String v = Optional.ofNullable(System.getenv("DB_PASSWORD")).orElseGet(() -> "changeme");'),
    ("src/Db.java", 'String v = System.getenv("DB_PASSWORD") != null ? System.getenv("DB_PASSWORD") : "changeme";'),
    ("src/Db.java", 'String v = Objects.requireNonNullElse(System.getenv("DB_PASSWORD"), "changeme");'),
    ("src/Db.java", '@Value("${db.password:changeme}")\nprivate String password;'),
    ("src/Db.java", '@ConfigProperty(name = "db.password", defaultValue = "changeme")\nString p;'),
    ("src/Db.kt", 'val password: String = System.getenv("RABBITMQ_PASSWORD") ?: "guest"'),
    ("src/Db.kt", 'val p = System.getenv("RABBITMQ_PASSWORD") ?: "guest"'),
    ("src/Db.kt", 'val p = env.getOrElse("DB_PASSWORD") { "changeme" }'),
    ("src/Db.kt", 'val p = System.getenv().getOrDefault("DB_PASSWORD", "changeme")'),
    ("src/Db.kt", 'val p = environment.config.propertyOrNull("jwt.secret")?.getString() ?: "changeme"'),
    ("src/Db.scala", 'val p = sys.env.getOrElse("DB_PASSWORD", "changeme")'),
    ("src/Db.scala", 'val p = Option(System.getenv("DB_PASSWORD")).getOrElse("changeme")'),
    ("src/Db.groovy", 'def p = System.getenv("DB_PASSWORD") ?: "changeme"'),
    ("config/app.rb", 'token = ENV.fetch("PUMA_CONTROL_TOKEN") { "replace_this_token" }'),
    ("config/app.rb", 'x = ENV.fetch("DB_PASSWORD") do\n  "changeme"\nend'),
    ("config/app.rb", 'x = ENV.fetch("DB_PASSWORD", "changeme")'),
    ("config/app.rb", 'x = ENV["DB_PASSWORD"] || "changeme"'),
    ("config/app.rb", 'x = ENV["DB_PASSWORD"].presence || "changeme"'),
    ("config/app.rb", 'ENV["DB_PASSWORD"] ||= "changeme"'),
    ("config/app.rb", "secret_key ENV['SECRET_KEY'] || 'changeme'"),
    ("src/auth.ts", "secret: config.get<string>('JWT_SECRET', 'changeme'),"),
    ("src/auth.ts", "const s = config.get<string>('JWT_SECRET', 'changeme');"),
    ("src/auth.ts", "const s = this.config.get('JWT_SECRET') ?? 'changeme';"),
    ("src/auth.ts", "const s = process.env.JWT_SECRET ?? 'changeme';"),
    ("src/auth.ts", "const s = process.env.JWT_SECRET || 'changeme';"),
    ("src/auth.ts", "const s = process.env['JWT_SECRET'] || `changeme`;"),
    ("src/auth.ts", "process.env.JWT_SECRET ??= 'changeme';"),
    ("src/auth.ts", "const { JWT_SECRET = 'changeme' } = process.env;"),
    ("src/auth.ts", "const s = process.env.JWT_SECRET ? process.env.JWT_SECRET : 'changeme';"),
    ("src/auth.ts", "export const env = z.object({ JWT_SECRET: z.string().min(8).default('changeme') });"),
    ("src/auth.ts", "const s = import.meta.env.VITE_API_KEY || 'changeme';"),
    ("src/auth.ts", "const s = Deno.env.get('JWT_SECRET') ?? 'changeme';"),
    ("src/auth.ts", "app.use(session({ secret: process.env.SESSION_SECRET || 'keyboard cat' }));"),
    ("src/App.cs", 'var p = Environment.GetEnvironmentVariable("DB_PASSWORD") ?? "changeme";'),
    ("src/App.cs", 'var p = Configuration["Db:Password"] ?? "changeme";'),
    ("src/App.cs", 'var p = builder.Configuration["Jwt:Key"] ?? "changeme";'),
    ("src/App.cs", 'var p = config.GetValue<string>("Db:Password", "changeme");'),
    ("main.go", 'package main\nvar p = cmp.Or(os.Getenv("DB_PASSWORD"), "changeme")'),
    ("main.go", 'package main\nvar p = getEnv("DB_PASSWORD", "changeme")'),
    ("main.go", 'package main\nvar p = mustLookup("DB_PASSWORD", "changeme")'),
    ("main.go", 'package main\nfunc f() {\n\tviper.SetDefault("db.password", "changeme")\n}'),
    ("main.go", 'package main\ntype C struct {\n\tPassword string `env:"DB_PASSWORD" envDefault:"changeme"`\n}'),
    ("main.go", 'package main\nfunc f() {\n\tp := flag.String("db-password", "changeme", "the password")\n}'),
    (
        "main.go",
        'package main\nfunc f() {\n\tpassword := os.Getenv("DB_PASSWORD")\n\tif password == "" {\n'
        '\t\tpassword = "changeme"\n\t}\n}',
    ),
    ("config/db.php", "<?php\n$x = getenv('DB_PASSWORD') ?: 'changeme';"),
    ("config/db.php", "<?php\nreturn ['p' => env('DB_PASSWORD', 'changeme')];"),
    ("config/db.php", "<?php\n$x = $_ENV['DB_PASSWORD'] ?? 'changeme';"),
    ("config/db.php", "<?php\n$x = $_SERVER['DB_PASSWORD'] ?? 'changeme';"),
    ("config/db.php", "<?php\n$x = isset($_ENV['DB_PASSWORD']) ? $_ENV['DB_PASSWORD'] : 'changeme';"),
    ("config/db.php", "<?php\ndefine('DB_PASSWORD', getenv_docker('WORDPRESS_DB_PASSWORD', 'changeme'));"),
    ("src/main.rs", 'fn f() { let p = env::var("DB_PASSWORD").unwrap_or("changeme".into()); }'),
    ("src/main.rs", 'fn f() { let p = std::env::var("DB_PASSWORD").unwrap_or_else(|_| "changeme".to_string()); }'),
    ("src/main.rs", 'fn f() { let p = env::var("DB_PASSWORD").unwrap_or_else(|_| { "changeme".to_string() }); }'),
    ("src/main.rs", 'fn f() { let p = env::var("DB_PASSWORD").unwrap_or_else(|_| String::from("changeme")); }'),
    ("src/main.rs", 'fn f() { let p = option_env!("DB_PASSWORD").unwrap_or("changeme"); }'),
    (
        "src/main.rs",
        'struct A {\n    #[arg(long, env = "DB_PASSWORD", default_value = "changeme")]\n    password: String,\n}',
    ),
    ("config/runtime.exs", 'x = System.get_env("DB_PASSWORD", "changeme")'),
    ("config/runtime.exs", 'x = System.get_env("DB_PASSWORD") || "changeme"'),
    ("config/runtime.exs", 'config :app, secret_key_base: System.get_env("SECRET_KEY_BASE") || "changeme"'),
    ("app/conf.py", 'p = os.getenv("DB_PASSWORD", "changeme")'),
    ("app/conf.py", 'p = os.getenv("DB_PASSWORD", default="changeme")'),
    ("app/conf.py", 'p = os.environ.get("DB_PASSWORD") or "changeme"'),
    ("app/conf.py", 'p = os.environ["DB_PASSWORD"] if "DB_PASSWORD" in os.environ else "changeme"'),
    ("app/conf.py", 'p = config("DB_PASSWORD", default="changeme")'),
    ("app/conf.py", 'p = config("DB_PASSWORD", cast=str, default="changeme")'),
    ("app/conf.py", 'p = env.str("DB_PASSWORD", default="changeme")'),
    ("app/conf.py", 'p = env("DB_PASSWORD", default="changeme")'),
    ("app/conf.py", 'os.environ.setdefault("DB_PASSWORD", "changeme")'),
    ("app/conf.py", 'app.config["SECRET_KEY"] = os.environ.get("KEY", "changeme")'),
    ("app/conf.py", 'class S(BaseSettings):\n    db_password: str = Field(default="changeme")'),
    ("app/conf.py", 'class S(BaseSettings):\n    db_password: str = Field("changeme", env="DB_PASSWORD")'),
    (
        "app/conf.py",
        'class S:\n    db_password: str = field(default_factory=lambda: os.getenv("DB_PASSWORD", "changeme"))',
    ),
    ("app/conf.py", 'parser.add_argument("--db-password", default="changeme")'),
    ("app/conf.py", '@click.option("--db-password", default="changeme", help="x")\ndef f(db_password): ...'),
    ("App.swift", 'let p = ProcessInfo.processInfo.environment["DB_PASSWORD"] ?? "changeme"'),
    ("App.swift", 'let p = Environment.get("DB_PASSWORD") ?? "changeme"'),
    ("lib/app.dart", "final p = Platform.environment['DB_PASSWORD'] ?? 'changeme';"),
    ("lib/app.dart", "const p = String.fromEnvironment('API_KEY', defaultValue: 'changeme');"),
    ("lib/app.pm", 'my $p = $ENV{DB_PASSWORD} // "changeme";'),
    ("lib/app.pm", 'my $p = $ENV{DB_PASSWORD} || "changeme";'),
    ("run.sh", 'P="${DB_PASSWORD:-changeme}"'),
    ("run.sh", ': "${DB_PASSWORD:=changeme}"'),
    ("run.sh", "P=${DB_PASSWORD-changeme}"),
    ("run.ps1", '$p = $env:DB_PASSWORD ?? "changeme"'),
    ("run.ps1", '$p = if ($env:DB_PASSWORD) { $env:DB_PASSWORD } else { "changeme" }'),
    ("main.tf", 'locals {\n  password = coalesce(var.db_password, "changeme")\n}'),
    ("main.tf", 'locals {\n  x = coalesce(var.db_password, "changeme")\n}'),
    ("main.tf", 'locals {\n  x = try(var.settings.password, "changeme")\n}'),
    ("main.tf", 'locals {\n  x = lookup(var.settings, "password", "changeme")\n}'),
    ("main.tf", 'locals {\n  password = var.db_password != "" ? var.db_password : "changeme"\n}'),
    ("a.yml", "password: \"{{ db_password | default('changeme') }}\"\n"),
    ("a.yml", "x: \"{{ db_password | default('changeme', true) }}\"\n"),
    ("chart/templates/s.yaml", 'password: {{ .Values.password | default "changeme" | quote }}\n'),
    ("chart/templates/s.yaml", 'password: {{ default "changeme" .Values.password | b64enc }}\n'),
    ("chart/templates/s.yaml", 'password: {{ coalesce .Values.password "changeme" }}\n'),
    ("chart/templates/s.yaml", 'password: {{ ternary "changeme" .Values.password (empty .Values.password) }}\n'),
    ("config/database.yml", "password: <%= ENV.fetch('DB_PASSWORD', 'changeme') %>\n"),
    ("config/database.yml", "password: <%= ENV.fetch('DB_PASSWORD') { 'changeme' } %>\n"),
    ("config/database.yml", "password: <%= ENV['DB_PASSWORD'] || 'changeme' %>\n"),
    ("application.yml", "x: ${DB_PASSWORD:changeme}\n"),
    ("application.properties", "x=${DB_PASSWORD:changeme}\n"),
    ("compose.yml", "services:\n  a:\n    environment:\n      - X=${DB_PASSWORD:-changeme}\n"),
    ("Dockerfile", "FROM a\nENV X=${DB_PASSWORD:-changeme}\n"),
    ("Makefile", "DB_PASSWORD ?= changeme\n"),
    ("justfile", 'db_password := env_var_or_default("DB_PASSWORD", "changeme")\n'),
    ("app.conf", 'x = ${?DB_PASSWORD}\ndb.password = "changeme"\ndb.password = ${?DB_PASSWORD}\n'),
]


@pytest.mark.parametrize(("path", "text"), FALLBACKS, ids=lambda one: one[:60])
def test_a_fallback_is_judged_in_every_grammar(path: str, text: str) -> None:
    (found,) = secrets_in(path, text)
    assert found.rule in ("core/change-me", "core/replace-me", "core/weak-password", "core/service-default") or (
        "keyboard" in text
    )


FALLBACKS += [
    ("src/main/java/com/example/demo/Db.java", 'String p = env.getOrDefault("DB_PASSWORD", "changeme");'),
    ("apps/crm/.env.prod", "MAIL_PASSWORD=changeme\n"),
]

NO_FALLBACKS = [
    ("example/src/main/java/com/example/Db.java", 'String p = env.getOrDefault("DB_PASSWORD", "changeme");'),
    ("src/test/java/com/example/Db.java", 'String p = env.getOrDefault("DB_PASSWORD", "changeme");'),
    ("src/Db.java", 'String user = env.getOrDefault("DB_USER", "changeme");'),
    ("src/Db.java", 'String key = labels.getOrDefault("title", "changeme");'),
    ("src/auth.ts", "const s = process.env.JWT_SECRET ?? fail('changeme');"),
    ("src/auth.ts", "if (password === 'changeme') throw new Error('password is still changeme');"),
    ("src/auth.ts", "const s = t('password.title', 'Password');"),
    ("src/auth.ts", "const s = i18n.get('password', 'Please change your password');"),
    ("main.go", 'package main\nfunc f() {\n\tlog.Info("password", "changeme")\n}'),
    ("main.go", 'package main\nfunc f() {\n\tif cmp.Compare(token, "changeme") == 0 {\n\t}\n}'),
    ("main.go", 'package main\nvar p = strings.Replace(password, "changeme", "x", 1)'),
    ("app/conf.py", 'assert check("password", "changeme") is False'),
    ("app/conf.py", 'parser.add_argument("--password", help="changeme")'),
    ("app/conf.py", 'raise ValueError("password", "changeme is no password")'),
    ("config/app.rb", 'x = ENV.fetch("DB_PASSWORD") { raise "changeme" }'),
    ("config/app.rb", 'expect(password).to eq("changeme") || "changeme"'),
    ("main.tf", 'locals {\n  x = lookup(var.settings, "username", "changeme")\n}'),
    ("app/a.py", 'password = password.encode("latin1")\nusername = username.encode("latin1")'),
    ("app/a.py", 'token = token.strip("xxxx")'),
]


@pytest.mark.parametrize(("path", "text"), NO_FALLBACKS, ids=lambda one: one[:60])
def test_what_only_looks_like_one_is_silent(path: str, text: str) -> None:
    assert secrets_in(path, text) == []


WRAPPED = [
    ("main.go", 'package a\nvar o = Options{\n\tSigningKey: []byte("please-change-this-signing-key"),\n}'),
    ("main.go", 'package a\nvar jwtKey = []byte("my_secret_key")'),
    ("main.go", 'package a\nvar token = string("changeme")'),
    ("main.go", 'package a\nvar password = pointer.String("changeme")'),
    ("src/a.ts", "const secretKey = Buffer.from('changeme', 'utf8');"),
    ("src/a.ts", "const secretKey = new TextEncoder().encode('changeme');"),
    ("src/a.ts", "const secretKey = new TextEncoder().encode(process.env.X_SECRET || 'changeme');"),
    ("src/a.ts", "const dbPassword = String('changeme');"),
    ("src/a.ts", "const s = { secret: SecretValue.unsafePlainText('changeme') };"),
    ("app/a.py", 'SECRET_KEY = b"changeme"'),
    ("app/a.py", 'password: SecretStr = SecretStr("changeme")'),
    ("app/a.py", 'SECRET_KEY = bytes("changeme", "utf-8")'),
    ("app/a.py", 'SECRET_KEY = "changeme".encode()'),
    ("app/a.py", 'SECRET_KEY = base64.b64encode(b"changeme")'),
    ("src/A.java", 'byte[] secretKey = "changeme".getBytes();'),
    ("src/A.java", 'SecretKeySpec key = new SecretKeySpec("changeme".getBytes(UTF_8), "AES");'),
    ("src/A.java", 'Key signingKey = Keys.hmacShaKeyFor("changeme".getBytes());'),
    ("src/A.java", 'Secret password = Secret.of("changeme");'),
    ("src/A.java", 'char[] keystorePassword = "changeme".toCharArray();'),
    ("src/A.kt", 'val secretKey = "changeme".toByteArray()'),
    ("src/A.cs", 'byte[] secretKey = Encoding.UTF8.GetBytes("changeme");'),
    ("src/A.cs", 'var signingKey = new SymmetricSecurityKey(Encoding.UTF8.GetBytes("changeme"));'),
    ("src/a.rs", 'const SECRET_KEY: &[u8] = b"changeme";'),
    ("src/a.rs", 'fn f() { let password = String::from("changeme"); }'),
    ("src/a.rs", 'fn f() { let password = SecretString::new("changeme".into()); }'),
    ("src/a.rs", 'fn f() { let password = Secret::new("changeme".to_string()); }'),
    ("src/a.rs", 'fn f() { let c = Config { password: Some("changeme".to_string()) }; }'),
    ("src/a.swift", 'let secretKey = Data("changeme".utf8)'),
    ("src/a.php", "<?php\n$password = trim('changeme');"),
]


@pytest.mark.parametrize(("path", "text"), WRAPPED, ids=lambda one: one[:60])
def test_a_literal_in_a_conversion_is_judged(path: str, text: str) -> None:
    (found,) = secrets_in(path, text)
    assert found.kind in ("placeholder", "fallback")


PAIRED = [
    ("prod/task.json", '{"environment": [{"name": "TAX_API_KEY", "value": "dummy-api-key"}]}'),
    ("prod/task.json", '{"environment": [{"value": "changeme", "name": "TAX_API_KEY"}]}'),
    ("prod/task.json", '{"environment": [{"Name": "TAX_API_KEY", "Value": "changeme"}]}'),
    ("prod/a.json", '[{"name": "Api__Secret", "slotSetting": false, "value": "changeme"}]'),
    ("prod/app.json", '{"env": {"SECRET_KEY": {"description": "a", "value": "changeme"}}}'),
    ("prod/a.json", '{"ParameterKey": "DbPassword", "ParameterValue": "changeme"}'),
    ("prod/a.tf", 'environment {\n  name  = "DB_PASSWORD"\n  value = "changeme"\n}'),
    ("prod/a.tf", 'environment = [{ value = "changeme", name = "DB_PASSWORD" }]'),
    ("prod/a.tf", 'container_definitions = jsonencode([{ environment = [{ name = "A_KEY", value = "x" }, '
                  '{ name = "DB_PASSWORD", value = "changeme" }] }])'),
    ("prod/a.toml", '[[env]]\nname = "DB_PASSWORD"\nvalue = "changeme"\n'),
    ("prod/a.toml", '[[env]]\nvalue = "changeme"\nkey = "DB_PASSWORD"\n'),
    ("prod/a.toml", 'env = [{ name = "DB_PASSWORD", value = "changeme" }]\n'),
    ("prod/a.xml", '<e><var name="DB_PASSWORD" value="changeme"/></e>'),
    ("prod/a.xml", '<e><var value="changeme" name="DB_PASSWORD"/></e>'),
    ("prod/a.xml", "<e><var><name>DB_PASSWORD</name><value>changeme</value></var></e>"),
    ("prod/a.xml", "<e><var><value>changeme</value><name>DB_PASSWORD</name></var></e>"),
    ("prod/a.yml", "env:\n- value: changeme\n  name: DB_PASSWORD\n"),
    ("prod/a.yml", "env: [{name: DB_PASSWORD, value: changeme}]\n"),
    ("prod/a.yml", "- ParameterKey: DbPassword\n  ParameterValue: changeme\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text"), PAIRED, ids=lambda one: one[:70])
def test_a_name_beside_its_value_is_its_name(path: str, text: str) -> None:
    (found,) = secrets_in(path, text)
    assert (found.kind, found.severity) == ("placeholder", "error")


LOGINS = [
    ("prod/a.yml", "NEO4J_AUTH: neo4j/neo4j\n", "default"),
    ("prod/a.yml", "NEO4J_AUTH: neo4j/changeme\n", "placeholder"),
    ("prod/a.env", "NEO4J_AUTH=neo4j/password\n", "default"),
    ("prod/a.env", "RABBITMQ_AUTH=guest:guest\n", "default"),
    ("prod/a.env", "FLOWER_BASIC_AUTH=admin:changeme\n", "placeholder"),
    ("prod/a.env", "API_CREDENTIALS=admin:admin123\n", "default"),
    ("prod/a.yml", "traefik:\n  basicAuth: admin:changeme\n", "placeholder"),
    ("prod/a.env", "ORACLE_CREDENTIALS=scott/tiger@db.internal:1521/ORCL\n", "default"),
    ("prod/a.env", "CONNECTION_STRING=scott/tiger@//db.internal:1521/ORCL\n", "default"),
    ("prod/a.sh", "curl -u admin:changeme https://a.example/\n", "placeholder"),
    ("prod/a.sh", "sqlplus system/changeme@ORCL\n", "placeholder"),
]


@pytest.mark.parametrize(("path", "text", "kind"), LOGINS, ids=lambda one: one[:50])
def test_the_password_of_a_login_is_judged(path: str, text: str, kind: str) -> None:
    (found,) = secrets_in(path, text)
    assert found.kind == kind


WORDS = """
仮パスワード 仮のパスワード 仮キー 初期パスワード 一時パスワード 暫定パスワード パスワードをここに
後で変更 要変更 本番の値に差し替え
テスト用パスワード ここにトークン 秘密の値を入れる 変更予定 あとで設定 未確定 ○○を入力
请填写商户密钥 請填寫金鑰 请修改此密钥 此处填写 此處填寫 填写你的密钥 输入密码 替换成真实密钥
临时密码 臨時密碼 待定 暂无 请补充 初始密码 测试密码 随便写
自己的密钥 你的密钥 商户密钥 密钥占位符 需要修改 记得修改 部署时修改 生产环境请修改
임시비밀번호 임시_비밀번호 여기에입력 비밀번호입력 변경필요 수정필요 테스트비밀번호
초기비밀번호 나중에변경 본인의키 실제키로교체 예시키 미정
추후변경
""".split()


@pytest.mark.parametrize("word", WORDS)
def test_a_temporary_value_in_other_scripts(word: str) -> None:
    for path, text in (("conf/prod/a.env", f"DB_PASSWORD={word}\n"), ("prod/a.yml", f"api_key: {word}\n")):
        (found,) = secrets_in(path, text)
        assert (found.kind, found.severity) == ("placeholder", "error"), path


REFERENCES = [
    ("apps/prod/a.yaml", "password: <path:secret/data/prod/ledger#password>\n"),
    ("apps/prod/a.yaml", "api-token: <path:secret/data/prod/ledger#api_token#3>\n"),
    ("apps/prod/a.yaml", "api_key: ref+vault://secret/data/app#/key\n"),
    ("apps/prod/a.yaml", "api_key: ref+awsssm://prod/app/key\n"),
    ("apps/prod/a.yaml", "api_key: ssm:/prod/app/key\n"),
    ("apps/prod/a.yaml", "api_key: ${ssm:/prod/app/key}\n"),
    ("apps/prod/a.yaml", "JWT_SECRET: ${env:JWT_SECRET}\n"),
    ("apps/prod/a.yaml", "api_key: op://Production/app/key\n"),
    ("apps/prod/a.yaml", "api_key: doppler://app/key\n"),
    ("apps/prod/a.yaml", "api_key: infisical://app/prod/API_KEY\n"),
    ("apps/prod/a.yaml", "api_key: $(API_KEY)\n"),
    ("apps/prod/a.yaml", "api_key: '#{Api.Key}'\n"),
    ("apps/prod/a.yaml", "api_key: '#{ApiKey}#'\n"),
    ("apps/prod/a.json", '{"apiKey": "@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/k/)"}'),
    ("apps/prod/a.env", "API_KEY=secretsmanager:prod/app\n"),
    ("infra/prod/main.bicep", "signingKey: kv.getSecret('signing-key')\n"),
    ("src/a.ts", "const password = await vault.readSecret('db-password');"),
    ("src/a.py", 'password = client.get_secret("db-password")'),
    ("src/a.py", 'api_key = fetch_secret("my-api-key")'),
    ("src/a.py", 'password = keyring.get_password("system", "user")'),
    ("src/a.py", 'SECRET_KEY = read_secret("secret_key")'),
    ("src/A.java", 'String password = secrets.lookup("db-password");'),
    ("src/a.go", 'package a\nvar token = mustGetSecret("my-token")'),
    ("src/a.cs", 'var password = await client.GetSecretAsync("my-password");'),
    ("prod/.secrets.baseline", '{"hashed_secret": "4c8a3f8b2d0e9f7a6b5c4d3e2f1a0b9c8d7e6f5a"}'),
    ("prod/.gitleaksignore", "secret: changeme\n"),
    ("prod/.trufflehog-exclude", "password: changeme\n"),
    ("prod/SHA256SUMS", "password = changeme\n"),
    ("prod/a.sha256", "secret = changeme\n"),
    ("prod/flake.lock", '{"secret": "changeme"}'),
]


@pytest.mark.parametrize(("path", "text"), REFERENCES, ids=lambda one: one[:60])
def test_a_reference_is_silent(path: str, text: str) -> None:
    assert secrets_in(path, text) == []


FOREIGN = {
    "Passwort Kennwort DB_KENNWORT datenbank_passwort geheimnis Zugangsschluessel zugriffstoken API-Schlüssel "
    "mot_de_passe motdepasse MotDePasse mdp_base clé_api cle_secrete jeton_acces phrase_secrete "
    "contraseña contrasena db_contraseña clave_secreta clave_api token_de_acceso palabra_clave_secreta "
    "senha SENHA_BANCO db_senha chave_secreta chave_api segredo "
    "пароль пароль_бд секретный_ключ ключ_api токен секрет parol": True,
    "passwort_laenge Passwort-Hinweis kennwortlaenge mot_de_passe_oublie mot_de_passe_longueur contraseña_longitud "
    "contraseña_olvidada senha_tamanho esqueci_senha длина_пароля подсказка_пароля chave_primaria clave_primaria "
    "cle_primaire clé_étrangère schluessel первичный_ключ tamanho_senha desenhar ensenhar": False,
}


@pytest.mark.parametrize(("name", "wanted"), [(n, w) for names, w in FOREIGN.items() for n in names.split()])
def test_names_of_other_languages(name: str, wanted: bool) -> None:
    found = secrets_in("prod/a.yml", f"{name}: changeme\n")
    assert [one.kind for one in found] == (["placeholder"] if wanted else [])
