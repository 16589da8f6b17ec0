import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { reader, replies, type TestCaller } from "../support/caller.js";
import { FakeGoogle } from "../support/fakes/fake-google.js";
import { FakeS3 } from "../support/fakes/fake-s3.js";
import { useServer } from "../support/fakes/fake-server.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import {
  createSshKeys,
  SftpServer,
  useSftpServer,
} from "../support/sftp-server.js";

const definition = {
  schema: toSchema({ root: "name String, year String" }),
  components: [{ type: "text", text: "Hello {{ root.name }}" }],
  fileName: "Letter to {{ root.name }}",
};
const readConnection = reader(connectionSchema);
/** How a person's own program creates files. */
const person = { isServiceAccount: false, seesSharedDrives: true };

describe("documents delivered to storages", () => {
  const keyPair = createSshKeys("open sesame");
  const service = useService({
    config: {
      platforms: { writeBackDelaysMs: [50, 50] },
      outbound: { allowPrivateNetworks: ["127.0.0.1/32"] },
    },
  });
  const google = useServer(new FakeGoogle());
  const getSftp = useSftpServer({ publicKey: keyPair.public });
  let s3: FakeS3;
  let sftp: SftpServer;
  let caller: TestCaller;
  let templateId: string;
  before(async () => {
    sftp = getSftp();
    s3 = await FakeS3.start();
    caller = await newBatchCaller(service);
    templateId = await caller.publish({ definition });
  });
  after(() => s3.close());

  async function connect(delivery: string, credentials: object) {
    const name = `Our ${delivery}`;
    const body = { delivery, name, credentials };
    const response = await caller.post("/api/connections", body);
    return (await readConnection(response, 201)).id;
  }
  const connectS3 = (more: object = {}) => {
    const { url: endpoint, bucket, region, accessKeyId, secretAccessKey } = s3;
    const keys = { bucket, region, accessKeyId, secretAccessKey };
    return connect("s3", { endpoint, ...keys, ...more });
  };
  const sftpAccess = () => {
    const { password: _, ...access } = sftp.credentials;
    return access;
  };
  const connectSftp = (more: object = {}) =>
    connect("sftp", { ...sftp.credentials, ...more });
  const connectDrive = (email: string, more: object = {}) =>
    connect("google-drive", {
      ...google.accounts.consent.addClient("https://example.com"),
      refreshToken: google.accounts.addUser(email, ["drive"]),
      endpointUrl: google.url,
      ...more,
    });
  async function test(connection: string): Promise<string> {
    const path = `/api/connections/${connection}/test`;
    const text = await (await caller.post(path, {})).text();
    return text.replaceAll(String.raw`\"`, '"');
  }
  async function send(deliver: object[], ...records: object[]) {
    const items = records.map((data) => ({ data }));
    const body = { templateId, formats: ["html"], items, deliver };
    return sendBatch(caller, body);
  }
  /** The deliveries of all documents of a batch, once they are over. */
  async function deliveriesOf(batchId: string) {
    const { documents } = await batchWhen(
      caller,
      batchId,
      ({ status, deliveries }) =>
        status === "completed" && deliveries?.pending === 0,
    );
    const all = await Promise.all(
      documents.map(async ({ id }) => {
        const response = await caller.get(`/api/documents/${id}`);
        return (await replies.document(response)).deliveries ?? [];
      }),
    );
    return all.flat();
  }
  async function deliverOne(entry: object, record: object = { name: "Zoe" }) {
    const { batchId } = await send([entry], record);
    const [delivery] = await deliveriesOf(batchId);
    return delivery;
  }
  const driveFiles = () =>
    google.drive.listFiles().map((file) => google.drive.pathOf(file));

  it("go to several at once, into folders by their records", async () => {
    const folder = "letters/{{ root.year }}";
    const folderId = google.drive.addSharedFolder();
    const { batchId } = await send(
      [
        { connection: await connectS3({ prefix: "platen" }), folder },
        { connection: await connectSftp(), folder },
        {
          connection: await connectDrive("anna@example.com"),
          folderId: `https://drive.google.com/drive/u/0/folders/${folderId}?hl=de`,
          folder,
        },
      ],
      { name: "Ann", year: "2026" },
      { name: "Bo/b\u0007", year: "2026" },
    );
    const deliveries = await deliveriesOf(batchId);
    expect(
      deliveries.filter(({ status }) => status !== "succeeded"),
    ).to.deep.equal([]);
    const names = [
      "letters/2026/Letter to Ann.html",
      "letters/2026/Letter to Bo-b.html",
    ];
    expect([...s3.objects.keys()].toSorted()).to.deep.equal(
      names.map((name) => `platen/${name}`),
    );
    const [object] = s3.objects.values();
    expect(object?.contentType).to.equal("text/html");
    expect(
      (await sftp.list()).map(({ name }) => name).toSorted(),
    ).to.deep.equal(names);
    expect(driveFiles().toSorted()).to.deep.equal(names);
    const receipts = deliveries.map(({ receipt }) => receipt);
    expect(receipts.map((receipt) => receipt?.id)).to.include.members([
      `s3://documents/platen/${names[0]}`,
      names[0],
    ]);
    expect(receipts.map((receipt) => receipt?.url).filter(Boolean)).to.satisfy(
      (urls: string[]) =>
        urls.length === 2 &&
        urls.every((url) => url.startsWith("https://drive.google.com/file/d/")),
    );
  });

  it("replace those of an earlier batch, but no file in Drive that is not Platen's", async () => {
    const folderId = google.drive.addSharedFolder();
    const own = google.drive.createMultipart(
      { owner: "anna@example.com", ...person },
      "multipart/related; boundary=b",
      Buffer.from(
        `--b\r\n\r\n{"name":"Letter to Eve.html","mimeType":"text/html","parents":["${folderId}"]}\r\n--b\r\n\r\nmine\r\n--b--`,
      ),
      undefined,
    );
    const entries = [
      { connection: await connectS3(), folder: "again" },
      { connection: await connectSftp(), folder: "again" },
      { connection: await connectDrive("anna@example.com"), folderId },
    ];
    const earlier = { ...definition, components: [] };
    const first = await caller.publish({ definition: earlier });
    for (const id of [first, templateId]) {
      const items = [{ data: { name: "Eve" } }];
      const what = { templateId: id, formats: ["html"] };
      const body = { ...what, items, deliver: entries };
      const { batchId } = await sendBatch(caller, body);
      for (const { status, error } of await deliveriesOf(batchId))
        expect([status, error]).to.deep.equal(["succeeded", null]);
    }
    const name = "Letter to Eve.html";
    const onServer = await sftp.list();
    const inDrive = [...google.drive.files.values()].filter(
      (file) => file.name === name && file.id !== own.id,
    );
    const contents = [
      s3.objects.get(`again/${name}`)?.bytes,
      ...onServer
        .filter((file) => file.name === `again/${name}`)
        .map(({ bytes }) => bytes),
      ...inDrive.map(({ bytes }) => bytes),
    ].map((bytes) => Buffer.from(bytes ?? []).toString());
    expect(contents).to.have.length(3);
    for (const content of contents) expect(content).to.include("Hello Eve");
    const kept = google.drive.files.get(own.id);
    expect(Buffer.from(kept?.bytes ?? []).toString()).to.equal("mine");
  });

  it("fail for the second of two records with the same name in one folder", async () => {
    const { batchId } = await send(
      [{ connection: await connectS3(), folder: "twice" }],
      { name: "Tim" },
      { name: "Tim" },
    );
    const deliveries = await deliveriesOf(batchId);
    expect(deliveries.map(({ status }) => status).toSorted()).to.deep.equal([
      "failed",
      "succeeded",
    ]);
    expect(deliveries.map(({ error }) => error).join()).to.include(
      "Add a field to `filename` or `folder`",
    );
  });

  it("fail where a record leads out of the folder", async () => {
    const entry = { connection: await connectSftp(), folder: "{{root.name}}" };
    const delivery = await deliverOne(entry, { name: "../../etc" });
    expect(delivery).to.include({ status: "failed", attempts: 1 });
    expect(delivery?.error).to.include('must not contain "." or ".."');
    const stripped = await deliverOne(entry, { name: "/a\u0000b//c\n/" });
    expect(stripped).to.include({ status: "succeeded" });
    expect(stripped?.receipt?.id).to.match(/^a b\/c\/Letter to /);
  });

  it("fail for servers in private networks that the operator does not allow", async () => {
    const connections = [
      await connectS3({ endpoint: "https://10.11.12.13" }),
      await connectSftp({ host: "10.11.12.13" }),
      await connectDrive("anna@example.com", {
        endpointUrl: "https://10.11.12.13",
      }),
    ];
    for (const connection of connections) {
      const delivery = await deliverOne({ connection });
      expect(delivery).to.include({ status: "failed", attempts: 1 });
      expect(delivery?.error).to.include("PLATEN_ALLOW_PRIVATE_NETWORKS");
    }
  });

  describe("in S3", () => {
    it("say what is wrong with the connection, and how to fix it", async () => {
      const cases: [object, RegExp][] = [
        [{ secretAccessKey: "wrong" }, /secret key does not belong/],
        [{ accessKeyId: "AKIANONE" }, /does not know the access key/],
        [{ bucket: "nowhere" }, /bucket "nowhere" does not exist/],
        [{ region: "us-east-1" }, /Correct the region/],
      ];
      for (const [wrong, message] of cases) {
        const connection = await connectS3(wrong);
        expect(await test(connection)).to.match(message);
        const delivery = await deliverOne({ connection });
        expect(delivery).to.include({ status: "failed", attempts: 1 });
        expect(delivery?.error).to.match(message);
      }
    });

    it("need the permission to write, which the test checks without an object", async () => {
      const connection = await connectS3();
      const count = s3.objects.size;
      s3.denied.add("AbortMultipartUpload");
      expect(await test(connection)).to.include("s3:AbortMultipartUpload");
      s3.denied.add("PutObject");
      expect(await test(connection)).to.include("s3:PutObject");
      s3.denied.clear();
      expect(await test(connection)).to.include('"warnings":[]');
      expect(s3.objects.size).to.equal(count);
    });

    it("wait while the server asks for it, and fail in a full bucket", async () => {
      const connection = await connectS3();
      s3.slowDowns = 1;
      const slow = await deliverOne({ connection, folder: "slow" });
      expect(slow).to.include({ status: "succeeded" });
      s3.quota = 10;
      const full = await deliverOne({ connection, folder: "full" });
      s3.quota = Infinity;
      expect(full).to.include({ status: "failed", attempts: 1 });
      expect(full?.error).to.include('the bucket "documents" is full');
    });
  });

  describe("on an SFTP server", () => {
    it("are not sent to a server that is not pinned, or another one", async () => {
      const { hostKeyFingerprint } = sftp;
      const unpinned = await connectSftp({ hostKeyFingerprint: "" });
      expect(await test(unpinned))
        .to.include(hostKeyFingerprint)
        .and.include("is not pinned");
      const other = await connectSftp({ hostKeyFingerprint: "SHA256:abc" });
      const delivery = await deliverOne({ connection: other });
      expect(delivery).to.include({ status: "failed", attempts: 1 });
      expect(delivery?.error)
        .to.include("another server than the connection names")
        .and.include(hostKeyFingerprint);
      const both = `SHA256:abc ${hostKeyFingerprint}`;
      const right = await connectSftp({ hostKeyFingerprint: both });
      expect(await test(right)).to.include("platen@127.0.0.1");
    });

    it("go to those who sign in with a key, which the server knows", async () => {
      const key = (passphrase: string) => ({
        ...sftpAccess(),
        privateKey: keyPair.private,
        passphrase,
      });
      const connection = await connect("sftp", key("open sesame"));
      const delivery = await deliverOne({ connection, folder: "by-key" });
      expect(delivery).to.include({ status: "succeeded" });
      const locked = await connect("sftp", key("wrong"));
      expect(await test(locked)).to.include("private key cannot be read");
      const { private: privateKey } = createSshKeys();
      const unknown = await connect("sftp", { ...sftpAccess(), privateKey });
      expect(await test(unknown)).to.include(
        "put the public key on the server",
      );
    });

    it("go to those whose password is asked for as a question", async () => {
      const asking = await SftpServer.start({ isInteractive: true });
      try {
        const { port, hostKeyFingerprint } = asking;
        const connection = await connectSftp({ port, hostKeyFingerprint });
        const delivery = await deliverOne({ connection });
        expect(delivery).to.include({ status: "succeeded" });
      } finally {
        await asking.close();
      }
    });

    it("share connections to the server", async () => {
      const connection = await connectSftp({ folder: "many" });
      const earlier = sftp.connections;
      const people = Array.from({ length: 20 }, (_, at) => ({
        name: `P${at}`,
      }));
      const { batchId } = await send([{ connection }], ...people);
      for (const { status } of await deliveriesOf(batchId))
        expect(status).to.equal("succeeded");
      expect(sftp.connections - earlier).to.be.at.most(4);
    });

    it("say which permission is missing", async () => {
      const connection = await connectSftp({ folder: "guarded" });
      expect(await test(connection)).to.include("guarded does not exist");
      await mkdir(join(sftp.folder, "guarded"));
      sftp.refused.set("OPEN", 3);
      expect(await test(connection)).to.include("may not write in guarded");
      const delivery = await deliverOne({ connection });
      sftp.refused.clear();
      expect(delivery).to.include({ status: "failed", attempts: 1 });
      expect(delivery?.error).to.include(
        "may not write guarded/Letter to Zoe.html",
      );
    });

    it("are tried again after a failure that may pass, and leave nothing behind", async () => {
      const connection = await connectSftp({ folder: "full" });
      sftp.refused.set("WRITE", 4);
      const failing = await deliverOne({ connection });
      sftp.refused.clear();
      expect(failing).to.include({ status: "failed", attempts: 3 });
      expect(failing?.error).to.include("disk or the user's quota is full");
      const files = await sftp.list();
      expect(files.filter(({ name }) => name.startsWith("full/"))).to.eql([]);
    });

    it("fail where the name is a folder", async () => {
      const path = join(sftp.folder, "taken", "Letter to Zoe.html");
      await mkdir(path, { recursive: true });
      await writeFile(join(path, "kept.txt"), "");
      const connection = await connectSftp({ folder: "taken" });
      const delivery = await deliverOne({ connection });
      expect(delivery).to.include({ status: "failed", attempts: 3 });
      expect(delivery?.error).to.include("whether a folder has that name");
    });
  });

  describe("in Google Drive", () => {
    it("create a folder once, also when another process creates it too", async () => {
      const folderId = google.drive.addSharedFolder();
      const connection = await connectDrive("bob@example.com", { folderId });
      const people = Array.from({ length: 6 }, (_, at) => ({ name: `D${at}` }));
      google.drive.beforeFolder = (name) => {
        google.drive.beforeFolder = () => undefined;
        google.drive.createFolder(
          { owner: "bob@example.com", ...person },
          Buffer.from(
            JSON.stringify({
              name,
              mimeType: "application/vnd.google-apps.folder",
              parents: [folderId],
            }),
          ),
        );
      };
      const { batchId } = await send(
        [{ connection, folder: "once" }],
        ...people,
      );
      for (const { status } of await deliveriesOf(batchId))
        expect(status).to.equal("succeeded");
      const folders = [...google.drive.files.values()].filter(
        ({ name, trashed }) => name === "once" && !trashed,
      );
      expect(folders).to.have.length(1);
      const inside = [...google.drive.files.values()].filter(
        ({ parents }) => parents[0] === folders[0]?.id,
      );
      expect(inside).to.have.length(people.length);
    });

    it("fail for a folder that does not exist, is not shared for writing, or is none", async () => {
      const connection = await connectDrive("eve@example.com");
      const readOnly = google.drive.addSharedFolder();
      google.drive.readOnly.add(readOnly);
      const cases: [string, RegExp][] = [
        ["no-such-folder", /did not find the Drive folder no-such-folder/],
        [readOnly, /cannot be added to the Drive folder/],
        ["https://example.com/x", /neither the address of a Drive folder/],
      ];
      for (const [folderId, message] of cases) {
        const delivery = await deliverOne({ connection, folderId });
        expect(delivery).to.include({ status: "failed", attempts: 1 });
        expect(delivery?.error).to.match(message);
      }
    });

    it("fail in a full Drive, and for a service account without a Shared Drive", async () => {
      google.drive.full.add("full@example.com");
      const full = await connectDrive("full@example.com");
      const first = await deliverOne({ connection: full });
      expect(first).to.include({ status: "failed", attempts: 1 });
      expect(first?.error).to.include("Drive of the connection's user is full");
      const robot = await connect("google-drive", {
        serviceAccount: google.accounts.addServiceAccount("robot"),
        endpointUrl: google.url,
      });
      expect(await test(robot)).to.include("Shared Drive");
      const second = await deliverOne({ connection: robot });
      expect(second).to.include({ status: "failed", attempts: 1 });
      expect(second?.error).to.include("A service account has none of its own");
      const folderId = google.drive.addSharedFolder();
      const third = await deliverOne({ connection: robot, folderId });
      expect(third).to.include({ status: "succeeded" });
    });

    it("are created again in a folder that was deleted meanwhile", async () => {
      const folderId = google.drive.addSharedFolder();
      const connection = await connectDrive("fay@example.com", { folderId });
      const entry = { connection, folder: "gone" };
      expect(await deliverOne(entry)).to.include({ status: "succeeded" });
      for (const { id, name } of google.drive.files.values())
        if (name === "gone") google.drive.files.delete(id);
      const again = await deliverOne(entry, { name: "Yan" });
      expect(again).to.include({ status: "succeeded", attempts: 1 });
      expect(driveFiles()).to.include("gone/Letter to Yan.html");
    });
  });
});
