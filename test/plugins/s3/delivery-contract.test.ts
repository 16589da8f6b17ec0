import {
  S3Client,
  GetObjectCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { after, before, describe, it } from "mocha";
import {
  deliveryContractSuite,
  type DeliverySubject,
} from "../../../plugins/contract-suite/index.js";
import {
  type S3Credentials,
  s3DeliveryPlugin as plugin,
} from "../../../plugins/s3/delivery.js";
import { makeBucket, s3Address } from "../../support/each-file-store.js";
import { FakeS3 } from "../../support/fakes/fake-s3.js";

const target = { folder: "suite/2026" };
const prefix = `${target.folder}/`;

function runSuite(start: DeliverySubject<S3Credentials>["start"]): void {
  const { checks, close } = deliveryContractSuite({ plugin, start });
  after(close);
  for (const { title, run } of checks) it(title, run);
}

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
      target,
      list: async () =>
        [...fake.objects].map(([key, { bytes }]) => ({
          name: key.slice(prefix.length),
          bytes,
        })),
      close: () => fake.close(),
    };
  });
});

const address = s3Address();

// Needs PLATEN_TEST_S3_URL: scripts/s3.sh starts a server.
if (address)
  describe("the delivery method s3 on a real server", () => {
    const { searchParams, username, password, hostname: bucket } = address;
    const folder = address.pathname.slice(1);
    const credentials = {
      endpoint: searchParams.get("endpoint") ?? "",
      region: searchParams.get("region") ?? "",
      bucket,
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    };
    before(() => makeBucket(address));
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
