import { expect } from "chai";
import { describe, it } from "mocha";
import { openS3, s3Address } from "../../support/each-file-store.js";

async function getMessage(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "it worked",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
}

const faults = {
  "s3://bucket?retries=3": 'unknown setting "retries"',
  "s3://KEY@bucket": "without its secret",
  "s3://bucket?endpoint=ftp://example.com": "its endpoint is not an http",
  "s3://bucket?links=none": 'must be "direct" or "proxy"',
};

describe("the address in PLATEN_FILE_STORE", () => {
  for (const [address, fault] of Object.entries(faults))
    it(`is rejected when it is ${address}`, async () => {
      expect(await getMessage(openS3(new URL(address)))).to.contain(fault);
    });

  it("is rejected at startup when no server answers there", async () => {
    const address = "s3://a:b@bucket?endpoint=http://127.0.0.1:1";
    const files = await openS3(new URL(address));
    expect(await getMessage(files.prepare())).to.contain("no server answers");
  });

  const server = s3Address();
  if (server) {
    it("is rejected when the bucket does not exist", async () => {
      const address = new URL(server);
      address.hostname = "no-such-bucket";
      const files = await openS3(address);
      expect(await getMessage(files.prepare())).to.contain(
        "bucket does not exist",
      );
    });

    it("is rejected when its secret is wrong", async () => {
      const address = new URL(server);
      address.password = "wrong";
      const files = await openS3(address);
      expect(await getMessage(files.prepare())).to.match(/secret|denied/);
    });

    it("disables direct links with links=proxy", async () => {
      const address = new URL(server);
      address.searchParams.set("links", "proxy");
      expect(await openS3(address)).not.to.have.property("directUrl");
    });
  }
});
