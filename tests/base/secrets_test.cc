#include "base/secrets.h"

#include <catch2/catch.hpp>

#include <chrono>

using namespace faultline;

namespace {

// Secrets are put together here, so that no file of the repository holds one.
std::string repeated(std::string_view part, std::size_t size) {
  std::string out;
  while (out.size() < size) out += part;
  out.resize(size);
  return out;
}
std::string key_id(const char* type) {
  return std::string(type) + repeated("Q2Z7", 16);
}
const std::string kSecretKey = repeated("wJalr7XUt/nFE+MI", 40);
const std::string kJwt =
    "ey"
    "JhbGciOiJub25lIn0." +
    repeated("aB3_-", 30) + "." + repeated("Zz9", 20);
const std::string kSession =
    "IQ"
    "oJ" +
    repeated("b3JpZ2lu/+", 200);
const std::string kHuggingFace =
    "h"
    "f_" +
    repeated("aBcD1", 34);
const std::string kHex40 = repeated("0a1b2c3d4e", 40);

struct Row {
  std::string text;
  std::string masked;
};

}  // namespace

TEST_CASE("names of secrets are known in every spelling") {
  for (const char* name : {"AWS_ACCESS_KEY_ID",
                           "AWS_SECRET_ACCESS_KEY",
                           "AWS_SESSION_TOKEN",
                           "AWS_SECURITY_TOKEN",
                           "AWS_CONTAINER_AUTHORIZATION_TOKEN",
                           "AWS_WEB_IDENTITY_TOKEN",
                           "HF_TOKEN",
                           "HUGGING_FACE_HUB_TOKEN",
                           "HUGGINGFACE_TOKEN",
                           "WANDB_API_KEY",
                           "COMET_API_KEY",
                           "NEPTUNE_API_TOKEN",
                           "CLEARML_API_SECRET_KEY",
                           "MLFLOW_TRACKING_PASSWORD",
                           "MLFLOW_TRACKING_TOKEN",
                           "GITHUB_TOKEN",
                           "GH_TOKEN",
                           "GITLAB_TOKEN",
                           "CI_JOB_TOKEN",
                           "SLACK_BOT_TOKEN",
                           "SLACK_WEBHOOK_URL",
                           "OPENAI_API_KEY",
                           "ANTHROPIC_API_KEY",
                           "NGC_API_KEY",
                           "NGC_CLI_API_KEY",
                           "NVIDIA_API_KEY",
                           "DOCKER_PASSWORD",
                           "DOCKER_AUTH_CONFIG",
                           "PIP_INDEX_URL",
                           "UV_INDEX_URL",
                           "PIP_EXTRA_INDEX_URL",
                           "DATABASE_URL",
                           "REDIS_URL",
                           "MYSQL_PWD",
                           "PGPASSWORD",
                           "KUBE_TOKEN",
                           "SSH_PRIVATE_KEY",
                           "SMTP_PASSWORD",
                           "SENTRY_DSN",
                           "AZURE_STORAGE_KEY",
                           "AZURE_CLIENT_SECRET",
                           "GOOGLE_APPLICATION_CREDENTIALS_JSON",
                           "MY_PASSWD",
                           "SESSION_COOKIE",
                           "X_SIGNATURE",
                           "DB_CONNECTION_STRING",
                           "NPM_AUTH",
                           "hf_token",
                           "secretAccessKey",
                           "SessionToken",
                           "AWSSecretKey",
                           "api-key",
                           "x-api-key",
                           "apiKey",
                           "client-key-data",
                           "token",
                           "password",
                           "Authorization",
                           "X-Amz-Signature",
                           "StoragePass",
                           "accessKeyId",
                           "APIKEY",
                           "auth"}) {
    INFO(name);
    CHECK(is_secret_name(name));
  }
}

TEST_CASE("names that only sound like secrets are left alone") {
  for (const char* name : {"TOKENIZERS_PARALLELISM",
                           "MAX_TOKENS",
                           "TOKENIZER_PATH",
                           "HF_TOKENIZER",
                           "NUM_TOKENS",
                           "AUTHOR",
                           "GIT_AUTHOR_NAME",
                           "PWD",
                           "OLDPWD",
                           "TORCHELASTIC_RUN_ID",
                           "AWS_WEB_IDENTITY_TOKEN_FILE",
                           "HF_TOKEN_PATH",
                           "SSH_AUTH_SOCK",
                           "AuthType",
                           "AUTH_METHOD",
                           "eos_token",
                           "pad_token_id",
                           "num_tokens",
                           "tokens",
                           "max_token",
                           "nextToken",
                           "nextForwardToken",
                           "secretName",
                           "secretKeyRef",
                           "KEY",
                           "NCCL_DEBUG",
                           "RANK",
                           "MASTER_ADDR",
                           "KEYBOARD",
                           "passed",
                           "PASS",
                           "compass",
                           "monkey",
                           "signal",
                           "credits",
                           "cook",
                           "XAUTHORITY",
                           "",
                           "=",
                           "tokens_per_second",
                           "PATH"}) {
    INFO(name);
    CHECK_FALSE(is_secret_name(name));
  }
}

TEST_CASE("secret shapes are masked wherever they stand") {
  const std::string github =
      "gh"
      "p_" +
      repeated("aB1", 36);
  const std::string pem =
      "-----BEGIN RSA PRIVATE"
      " KEY-----";
  const Row rows[] = {
      {"id " +
           key_id("AK"
                  "IA") +
           " used",
       "id <masked:AKIA> used"},
      {"id " +
           key_id("AS"
                  "IA") +
           ".",
       "id <masked:ASIA>."},
      {R"({\"k\":\"line\n)" +
           key_id("AK"
                  "IA") +
           R"(\"})",
       R"({\"k\":\"line\n<masked:AKIA>\"})"},
      {"q=x%3D" +
           key_id("AK"
                  "IA") +
           "&",
       "q=x%3D<masked:AKIA>&"},
      {key_id("AK"
              "IA") +
           "," + kSecretKey,
       "<masked:AKIA>,<masked:aws-secret-key>"},
      {"tok " + kSession + " end", "tok <masked:aws-session-token> end"},
      {"got " + kJwt, "got <masked:jwt>"},
      {"k8s-aws-"
       "v1." +
           repeated("aHR0", 80) + "\"",
       "<masked:eks-token>\""},
      {"push " + kHuggingFace, "push <masked:huggingface-token>"},
      {"x " + github + " y", "x <masked:github-token> y"},
      {"github"
       "_pat_" +
           repeated("11A_b", 40),
       "<masked:github-token>"},
      {"gl"
       "pat-" +
           repeated("aB-1", 20),
       "<masked:gitlab-token>"},
      {"xo"
       "xb-" +
           repeated("12345-", 24),
       "<masked:slack-token>"},
      {"POST https://hooks.slack.com"
       "/services/" +
           repeated("T0/B1", 24),
       "POST <masked:slack-webhook>"},
      {"s"
       "k-" +
           repeated("aB1_", 48),
       "<masked:api-key>"},
      {"nv"
       "api-" +
           repeated("aB-1", 60),
       "<masked:nvidia-key>"},
      {"AI"
       "za" +
           repeated("aB-1", 35),
       "<masked:google-key>"},
      {"wandb login " + kHex40, "wandb login <masked:wandb-key>"},
      {"Authorization: Bearer " + repeated("aB1", 30), "Authorization: <masked:auth>"},
      {"-H 'Authorization: Basic " + repeated("dXNlcjpw", 16) + "' x", "-H 'Authorization: <masked:auth>' x"},
      {"header {Authorization:[Bearer " + repeated("aB1", 30) + "]} x",
       "header {Authorization:[<masked:auth>]} x"},
      {"sent Bearer " + repeated("aB1", 30) + " to", "sent Bearer <masked:bearer> to"},
      {"curl -H 'x-api-key: " + repeated("aB1", 30) + "'", "curl -H 'x-api-key: <masked:key>'"},
      {pem + "\nMIIabc\n-----END RSA PRIVATE KEY-----\nafter", "<masked:private-key>\nafter"},
      {pem + R"(\nMIIabc\n)"
             "-----END RSA PRIVATE KEY-----",
       "<masked:private-key>"},
      {pem + "\nMIIabc", "<masked:private-key>"},
      {"git clone https://user:"
       "pw@192.0.2.1/x.git",
       "git clone https://<masked:userinfo>@192.0.2.1/x.git"},
      {"redis://:"
       "pw@cache:6379/0",
       "redis://<masked:userinfo>@cache:6379/0"},
      {"get https://b.s3.amazonaws.com/k?X-Amz-Algorithm=A&X-Amz-Credential=abc%2Fd&X-Amz-Signature=0a1b&x=1",
       "get "
       "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=A&X-Amz-Credential=<masked:credential>&X-Amz-Signature="
       "<masked:signature>&x=1"},
      {R"(u\u0026X-Amz-Security-Token=abcd\u0026x)", R"(u\u0026X-Amz-Security-Token=<masked:token>\u0026x)"},
      {"https://c.blob.core.windows.net/x?sv=1&sig=aB%2F1",
       "https://c.blob.core.windows.net/x?sv=1&sig=<masked:signature>"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(mask_secrets(row.text) == row.masked);
    CHECK(mask_secrets(row.masked) == row.masked);  // masking again changes nothing
  }
}

TEST_CASE("values beside secret names are masked in every notation") {
  const Row rows[] = {
      {"HF_TOKEN=abc", "HF_TOKEN=<masked:token>"},
      {"export WANDB_API_KEY=abc def", "export WANDB_API_KEY=<masked:key>"},
      {"declare -x DB_PASSWORD=\"a b\\\"c\"", "declare -x DB_PASSWORD=\"<masked:password>\""},
      {"+ export AWS_SECRET_ACCESS_KEY=" + kSecretKey, "+ export AWS_SECRET_ACCESS_KEY=<masked:secret>"},
      {"AWS_ACCESS_KEY_ID=" + key_id("AK"
                                     "IA"),
       "AWS_ACCESS_KEY_ID=<masked:AKIA>"},
      {"A=1\nHF_TOKEN=abc\r\nB=2", "A=1\nHF_TOKEN=<masked:token>\r\nB=2"},
      {"python t.py --hf_token=abc --lr 1", "python t.py --hf_token=<masked:token> --lr 1"},
      {"python t.py --api-key abc1 --lr 1", "python t.py --api-key <masked:key> --lr 1"},
      {"mpirun -x HF_TOKEN=abc -x NCCL_DEBUG=INFO", "mpirun -x HF_TOKEN=<masked:token> -x NCCL_DEBUG=INFO"},
      {"srun --export=ALL,HF_TOKEN=abc,NCCL_DEBUG=INFO x",
       "srun --export=ALL,HF_TOKEN=<masked:token>,NCCL_DEBUG=INFO x"},
      {"run PASSWORD=a,b;c d", "run PASSWORD=<masked:password> d"},
      {"      WANDB_API_KEY:      abc", "      WANDB_API_KEY:      <masked:key>"},
      {"{\"aws_secret_access_key\": \"a\\\"b\", \"x\": 1}",
       "{\"aws_secret_access_key\": \"<masked:secret>\", \"x\": 1}"},
      {R"({\"HF_TOKEN\":\"abc\",\"x\":\"y\"})", R"({\"HF_TOKEN\":\"<masked:token>\",\"x\":\"y\"})"},
      {"{'HF_TOKEN': 'abc', 'RANK': '0'}", "{'HF_TOKEN': '<masked:token>', 'RANK': '0'}"},
      {R"({"name":"HF_TOKEN","value":"abc"},{"name":"RANK","value":"0"})",
       R"({"name":"HF_TOKEN","value":"<masked:token>"},{"name":"RANK","value":"0"})"},
      {"- name: HF_TOKEN\n  value: abc\n- name: RANK\n  value: 0",
       "- name: HF_TOKEN\n  value: <masked:token>\n- name: RANK\n  value: 0"},
      {R"("auths":{"r":{"auth":"dXNlcjpw"}})", R"("auths":{"r":{"auth":"<masked:auth>"}})"},
      {"    client-key-data: LS0tabc", "    client-key-data: <masked:key>"},
      {"    token: abcdef0", "    token: <masked:token>"},
      {"StoragePass=hunter2", "StoragePass=<masked:password>"},
      {"  [SET]  HF_TOKEN abc", "  [SET]  HF_TOKEN <masked:token>"},
      {"aws configure set aws_secret_access_key abcd",
       "aws configure set aws_secret_access_key <masked:secret>"},
      {"setenv HF_TOKEN abc", "setenv HF_TOKEN <masked:token>"},
      {"login failed for password: hunter2 again", "login failed for password: <masked:password> again"},
      {"token: 8f3a9c", "token: <masked:token>"},
      {"Cookie: session=abc123; x=1", "Cookie: <masked:cookie>; x=1"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(mask_secrets(row.text) == row.masked);
    CHECK(mask_secrets(row.masked) == row.masked);
  }
}

TEST_CASE("healthy text passes unchanged") {
  for (const std::string& text : {
           std::string("RANK=3 WORLD_SIZE=16 MASTER_ADDR=job-worker-0"),
           std::string("TOKENIZERS_PARALLELISM=false MAX_TOKENS=4096"),
           std::string("tokens per second: 12345, num_tokens=4096, consumed tokens: 1000000"),
           std::string("AuthType=auth/munge"),
           std::string("PWD=/home/u OLDPWD=/tmp"),
           std::string("AUTHOR=Jo"),
           std::string("AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/secrets/eks/token"),
           std::string("GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/key.json"),
           std::string("SSH_AUTH_SOCK=/tmp/ssh-1/agent.1"),
           std::string("HF_TOKEN=$HF_TOKEN"),
           std::string("run HF_TOKEN=$HF_TOKEN TOKEN=${TOKEN}"),
           std::string("HF_TOKEN="),
           std::string("HF_TOKEN: <none>"),
           std::string("      WANDB_API_KEY:      <set to the key 'key' in secret 'wandb'>  Optional: false"),
           std::string("RuntimeError: invalid token: connection refused by peer"),
           std::string("secret \"wandb\" not found"),
           std::string("failed calling webhook \"x.example.com\": Post \"https://svc:443/mutate\": context "
                       "deadline exceeded"),
           std::string("Found credentials in shared credentials file: ~/.aws/credentials"),
           std::string("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC public key"),
           std::string("loss 3.2 pass: 5 fail: 0"),
           std::string("NCCL WARN NET/OFI request completed with error (task-abc1234567890123456789012345)"),
           "commit " + kHex40,
           "sha1 " + kHex40 + " image sha256:" + kHex40,
           std::string("ssh://git@192.0.2.1/repo.git tcp://10.1.2.3:29500 file:///x"),
           std::string("a disk-abcdefghijklmnopqrstuvw0 b"),
           std::string("-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----"),
           std::string("eyJ short.x"),
           std::string("Bearer token is required for basic authentication"),
           std::string(R"({"nextForwardToken":"f/391/s","nextToken":"abc"})"),
           std::string("\"secretName\": \"wandb\""),
           std::string("eos_token: </s> pad_token_id=0 bos_token=<s>"),
           std::string("password: ********"),
           std::string("Authorization: <masked:auth>"),
           std::string(""),
           std::string("=:=:"),
           std::string("token == expected"),
           std::string("NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus."),
       }) {
    INFO(text);
    CHECK(mask_secrets(text) == text);
  }
}

TEST_CASE("a value beside its name is masked by name, else by shape") {
  CHECK(mask_value("HF_TOKEN", "abc") == "<masked:token>");
  CHECK(mask_value("AWS_ACCESS_KEY_ID", key_id("AK"
                                               "IA")) == "<masked:AKIA>");
  CHECK(mask_value("AWS_SECRET_ACCESS_KEY", kSecretKey) == "<masked:secret>");
  CHECK(mask_value("PIP_INDEX_URL", "https://192.0.2.1/simple") == "<masked:url>");
  CHECK(mask_value("HTTP_PROXY",
                   "http://u:"
                   "p@192.0.2.1:3128") == "http://<masked:userinfo>@192.0.2.1:3128");
  CHECK(mask_value("X", kJwt) == "<masked:jwt>");
  CHECK(mask_value("HF_TOKEN_PATH", "/root/.cache/token") == "/root/.cache/token");
  CHECK(mask_value("HF_TOKEN_PATH", "aB3xY") == "<masked:token>");
  CHECK(mask_value("AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/secrets/x") == "/var/run/secrets/x");
  CHECK(mask_value("HF_TOKEN", "") == "");
  CHECK(mask_value("PWD", "/root") == "/root");
  CHECK(mask_value("HF_TOKEN", "<set to the key 'k' in secret 's'>") == "<set to the key 'k' in secret 's'>");
  CHECK(mask_value("HF_TOKEN", "<masked:token>") == "<masked:token>");
}

TEST_CASE("hostile text costs linear time") {
  const std::string parts[] = {"token=",
                               "name:",
                               "AI"
                               "za-",
                               "sk-",
                               "://a@",
                               "eyJ",
                               "-----BEGIN ",
                               "--token ",
                               "name:\"",
                               "a_token=\"",
                               "e\\\"",
                               "Bearer ",
                               "wandb login ",
                               "=",
                               ":",
                               "-",
                               "\\",
                               "xoxb-",
                               "AK"
                               "IA",
                               "set token "};
  for (const std::string& part : parts) {
    INFO(part);
    std::string text;
    while (text.size() < (std::size_t{1} << 20)) text += part;
    const auto start = std::chrono::steady_clock::now();
    const std::string masked = mask_secrets(text);
    const auto spent = std::chrono::steady_clock::now() - start;
    CHECK(masked.size() <= text.size() * 4);
    CHECK(spent < std::chrono::seconds(5));  // quadratic code needs minutes
  }
}
