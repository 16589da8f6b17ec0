import { expect } from "chai";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "mocha";
import { suiteFolder } from "../support/store-folder.js";
import { Webhook } from "standardwebhooks";

const page = readFileSync("docs/how-to/receive-webhooks.md", "utf8");

/** The first piece of code of the page in this language. */
function snippet(language: string): string {
  const [, code] =
    new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`no ${language} on the page`);
  return code;
}

const runs: Record<string, (folder: string) => string> = {
  js: (folder) => {
    const file = join(folder, "receiver.mjs");
    const ask = `const [secret, headers, body] = JSON.parse(process.argv[2]);
      console.log(verify(secret, headers, body).type);`;
    writeFileSync(file, `${snippet("js")}\n${ask}`);
    return file;
  },
  python: (folder) => {
    const file = join(folder, "receiver.py");
    const ask = 'import sys\nprint(verify(*json.loads(sys.argv[1]))["type"])\n';
    writeFileSync(file, `${snippet("python")}\n${ask}`);
    return file;
  },
};
const programs: Record<string, string> = {
  js: process.execPath,
  python: "python3",
};

describe("the verification code in docs/how-to/receive-webhooks.md", () => {
  const folder = suiteFolder();
  const secret = `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`;
  const body = JSON.stringify({ type: "webhook.test", data: { ü: "→" } });
  const createHeaders = (sentAt: Date) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": `v1,bm90IHRoaXMgb25l ${new Webhook(secret).sign("msg_1", sentAt, body)}`,
  });
  const verify = (language: string, text: string, sentAt = new Date()) => {
    const file = runs[language]?.(folder) ?? "";
    const call = JSON.stringify([secret, createHeaders(sentAt), text]);
    const program = programs[language] ?? "";
    const stdio = ["ignore", "pipe", "ignore"] as const;
    return execFileSync(program, [file, call], {
      stdio: [...stdio],
    }).toString();
  };

  for (const language of Object.keys(programs))
    it(`accepts only a valid message, in ${language}`, () => {
      expect(verify(language, body).trim()).to.equal("webhook.test");
      expect(() => verify(language, `${body} `)).to.throw("Command failed");
      const old = new Date(Date.now() - 600_000);
      expect(() => verify(language, body, old)).to.throw("Command failed");
    });
});
