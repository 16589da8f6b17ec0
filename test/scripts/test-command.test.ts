import { execFile } from "node:child_process";
import { expect } from "chai";

interface Ended {
  code: unknown;
  stderr: string;
}

/** Runs what `npm test` runs, with arguments or variables that it must refuse before the first test. */
function runTests(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const command = ["scripts/test.mjs", ...args];
  const all = { env: { ...process.env, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, command, all, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

const file = "test/scripts/supply-chain.test.ts";

describe("npm test", () => {
  for (const [path, hint = "Name a file or a folder below test/."] of [
    ["test/typo"],
    ["tests/scripts"],
    ["core/definition", "Did you mean test/definition?"],
    ["scripts", "Did you mean test/scripts?"],
    ["README.md"],
    ["test/support"],
    ["../elsewhere.test.ts"],
  ] as const)
    it(`says that there are no tests at ${path}`, async () => {
      const { code, stderr } = await runTests([file, path]);
      expect(stderr).to.equal(
        `platen: There are no tests at "${path}". ${hint}\n`,
      );
      expect(code).to.equal(1);
    });

  for (const [args, why] of [
    [["--grep", "("], "Invalid regular expression"],
    [["--grep"], "argument missing"],
    [["--wacth"], "Unknown option '--wacth'"],
  ] as const)
    it(`says what is wrong with ${args.join(" ")}`, async () => {
      const { code, stderr } = await runTests([file, ...args]);
      expect(stderr)
        .to.match(/^platen: [^\n]+\n$/)
        .and.include(why);
      expect(code).to.equal(1);
    });

  for (const [name, value, why] of [
    ["PLATEN_TEST_MYSQL_URL", "mysql://root@127.0.0.1:1/", "ECONNREFUSED"],
    ["PLATEN_TEST_MYSQL_URL", "http://root:secret@127.0.0.1", "mysql:"],
    ["PLATEN_TEST_POSTGRES_URL", "postgres://127.0.0.1:1/", "ECONNREFUSED"],
    ["PLATEN_TEST_S3_URL", "s3://bucket", "endpoint"],
    ["PLATEN_TEST_S3_URL", "s3://b?endpoint=http://127.0.0.1:1", "ECONN"],
    ["PLATEN_TEST_NOCODB_URL", "no address", "Invalid URL"],
    ["PLATEN_TEST_FIREFOX", "/tmp", "no Firefox"],
  ] as const)
    it(`says why ${name} cannot be ${value}`, async () => {
      const others = {
        PLATEN_TEST_MYSQL_URL: "",
        PLATEN_TEST_POSTGRES_URL: "",
      };
      const env = { ...others, PLATEN_TEST_S3_URL: "", [name]: value };
      const { code, stderr } = await runTests([file], env);
      expect(stderr).to.match(
        new RegExp(`^platen: ${name} cannot be used: [^\n]+\n$`),
      );
      expect(stderr).to.include(why).and.not.include("secret");
      expect(code).to.equal(1);
    });
});
