import {
  S3Client,
  GetObjectCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { expect } from "chai";
import type { Output } from "../../../core/plugin-api/index.js";
import {
  deliveryContractSuite,
  type DeliverySubject,
} from "../../../plugins/contract-suite/index.js";
import {
  type S3Credentials,
  s3DeliveryPlugin as plugin,
} from "../../../plugins/s3/delivery.js";
import { newCaller } from "../../support/caller.js";
import { testContract } from "../../support/contract.js";
import {
  makeBucket,
  s3Address,
  openS3,
} from "../../support/each-file-store.js";
import { FakeS3 } from "../../support/fakes/fake-s3.js";
import { exported, useService } from "../../support/service.js";

const suiteTarget = { folder: "suite/2026" };

const prefix = `${suiteTarget.folder}/`;

const runSuite = (start: DeliverySubject<S3Credentials>["start"]) =>
  testContract(deliveryContractSuite({ plugin, start }));

const serverAddress = s3Address();

describe("the delivery method s3", () => {
  runSuite(async () => {
    const fake = await FakeS3.start();
    const { bucket, region, accessKeyId, secretAccessKey } = fake;
    const keys = { bucket, region, accessKeyId, secretAccessKey };
    return {
      addresses: { s3: fake.url },
      credentials: ({ s3: endpoint = "" }) => {
        fake.hosts.add(new URL(endpoint).host);
        return { ...keys, endpoint };
      },
      wrongCredentials: ({ s3: endpoint = "" }) => ({
        ...keys,
        endpoint,
        secretAccessKey: "another",
      }),
      target: suiteTarget,
      list: async () =>
        [...fake.objects].map(([key, { bytes }]) => ({
          name: key.slice(prefix.length),
          bytes,
        })),
      close: () => fake.close(),
    };
  });
});

// Needs PLATEN_TEST_S3_URL: scripts/s3.sh starts a server.
if (serverAddress)
  describe("the delivery method s3 on a real server", () => {
    const {
      searchParams,
      username,
      password,
      hostname: bucket,
    } = serverAddress;
    const folder = serverAddress.pathname.slice(1);
    const credentials = {
      endpoint: searchParams.get("endpoint") ?? "",
      region: searchParams.get("region") ?? "",
      bucket,
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    };
    before(() => makeBucket(serverAddress));
    runSuite(async () => {
      const client = new S3Client({
        ...credentials,
        forcePathStyle: true,
        credentials,
      });
      return {
        // Requests are signed for the host that they go to, so there can be no proxy.
        addresses: {},
        credentials: () => credentials,
        wrongCredentials: () => ({
          ...credentials,
          secretAccessKey: "another",
        }),
        target: { folder },
        async list() {
          const { Contents = [] } = await client.send(
            new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/` }),
          );
          return Promise.all(
            Contents.map(async ({ Key = "" }) => {
              const object = { Bucket: bucket, Key };
              const { Body } = await client.send(new GetObjectCommand(object));
              return {
                name: Key.slice(folder.length + 1),
                bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(),
              };
            }),
          );
        },
        close: async () => client.destroy(),
      };
    });
  });

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

// Needs PLATEN_TEST_S3_URL: scripts/s3.sh starts a server.
if (serverAddress)
  describe("documents in a bucket", () => {
    before(() => makeBucket(serverAddress));
    const service = useService({ config: { fileStore: serverAddress } });
    let outputs: Output[];
    const ask = (label: string, init: RequestInit = {}) => {
      const { url } = outputs.find((one) => one.label === label) ?? { url: "" };
      return fetch(url, { redirect: "manual", ...init });
    };

    before(async () => {
      const caller = await newCaller(service);
      const templateId = await caller.publish({ name: "Zoë" });
      const { document } = await exported(caller, {
        templateId,
        formats: ["pdf", "html"],
      });
      outputs = document.outputs;
    });

    it("are fetched from the bucket by a short-lived link", async () => {
      const reply = await ask("pdf");
      expect(reply.status).to.equal(302);
      expect(reply.headers.get("cache-control")).to.equal("private, no-store");
      const target = new URL(reply.headers.get("location") ?? "");
      expect(target.origin).to.equal(
        serverAddress.searchParams.get("endpoint"),
      );
      const file = await fetch(target);
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
      expect(file.headers.get("content-type")).to.equal("application/pdf");
      expect(file.headers.get("content-disposition")).to.contain(
        "UTF-8''Zo%C3%AB.pdf",
      );
    });

    it("are not fetched from it without the link's signature", async () => {
      const reply = await ask("pdf");
      const target = new URL(reply.headers.get("location") ?? "");
      target.search = "";
      expect((await fetch(target)).ok).to.equal(false);
    });

    it("return their size without a redirect", async () => {
      const reply = await ask("pdf", { method: "HEAD" });
      expect(reply.status).to.equal(200);
      expect(Number(reply.headers.get("content-length"))).to.be.above(1000);
    });

    it("remain sandboxed when they are html", async () => {
      const reply = await ask("html");
      expect(reply.status).to.equal(200);
      expect(reply.headers.get("content-security-policy")).to.match(
        /^sandbox;/,
      );
      expect(await reply.text()).to.match(/^<!doctype html>/i);
    });
  });
