import { domainToASCII } from "node:url";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import { User } from "../../core/storage/database/index.js";
import {
  batchWhen,
  newBatchCaller,
  readBatch,
  sendBatch,
} from "../support/batches.js";
import {
  readError,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { useMailServer } from "../support/mail-server.js";
import { TestService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "name", type: "String" },
        { name: "email", type: "String" },
      ],
    },
  ],
  components: [{ type: "text", text: "Hello {{ root.name }}" }],
  fileName: "Letter to {{ root.name }}",
};
const letter = {
  ...definition,
  fileName: undefined,
  email: { subject: "News for {{ root.name }}" },
  components: [{ type: "text", text: "Dear {{ root.name }}, here it is" }],
};

const readConnection = reader(connectionSchema);

describe("documents delivered by email", () => {
  const server = useMailServer();
  const guarded = useMailServer({ users: { shop: "s3cret" } });
  const small = useMailServer({ size: 9000 });
  const plain = useMailServer({ hideSMTPUTF8: true });
  const folder = suiteFolder();
  let service: TestService;
  let caller: TestCaller;
  let templateId: string;
  before(async () => {
    const mail = { smtpUrl: server.url, from: "Shop <shop@example.com>" };
    const platforms = { writeBackDelaysMs: [50, 50] };
    const config = {
      mail,
      platforms,
      outbound: { allowPrivateNetworks: ["127.0.0.1/32"] },
    };
    service = new TestService(folder, { config });
    await service.start();
    caller = await newBatchCaller(service);
    templateId = await caller.publish({ definition });
  });
  after(() => service.stop());

  async function send(deliver: object[], ...records: object[]) {
    const items = records.map((data) => ({ data }));
    const body = { templateId, formats: ["html"], items, deliver };
    return sendBatch(caller, body);
  }
  const settled = (batchId: string) =>
    batchWhen(
      caller,
      batchId,
      ({ status, deliveries }) =>
        status === "completed" && deliveries?.pending === 0,
    );
  /** The deliveries of the first document of a batch that is delivered. */
  async function deliveriesOf(batchId: string) {
    const { documents } = await settled(batchId);
    const [document] = documents;
    const response = await caller.get(`/api/documents/${document?.id}`);
    return (await replies.document(response)).deliveries ?? [];
  }
  const mailsTo = (address: string, from = server) =>
    from.mails.filter(({ to }) => to.includes(address));
  async function connect(from: typeof server, more: object = {}) {
    const { port } = new URL(from.url);
    const response = await caller.post("/api/connections", {
      delivery: "email",
      name: "Our mail",
      credentials: {
        host: "127.0.0.1",
        port: Number(port),
        security: "none",
        from: "Billing <billing@shop.example>",
        ...more,
      },
    });
    return (await readConnection(response, 201)).id;
  }

  it("have subject, text and attachment from their records, and receipts", async () => {
    const to = "{{ root.email }}";
    const subject = "Hello {{ root.name }}";
    const entry = {
      to,
      cc: "boss@x.example",
      subject,
      body: "Hi {{root.name}}",
    };
    const { batchId } = await send(
      [entry],
      { name: "Ann", email: "ann@x.example" },
      { name: "Bob", email: "bob@x.example" },
    );
    const [delivery] = await deliveriesOf(batchId);
    const batch = await settled(batchId);
    expect(batch.deliveries).to.eql({
      pending: 0,
      succeeded: 2,
      failed: 0,
      unknown: 0,
    });
    expect(delivery).to.include({ status: "succeeded", method: "email" });
    expect(delivery?.target).to.include({ to: "ann@x.example" });
    const [mail] = mailsTo("ann@x.example");
    expect(mail?.to).to.eql(["ann@x.example", "boss@x.example"]);
    expect(mail?.text)
      .to.include("Subject: Hello Ann")
      .and.to.include("From: Shop <shop@example.com>")
      .and.to.include("Hi Ann")
      .and.to.include('filename="Letter to Ann.html"')
      .and.to.include(`Message-ID: ${delivery?.receipt?.id}`);
    expect(mailsTo("bob@x.example")).to.have.length(1);
  });

  it("have an email template as body, with links in the place of files", async () => {
    const mailId = await caller.publish({
      definition: letter,
      templateType: "email",
    });
    const { batchId } = await send(
      [{ to: "{{root.email}}", template: mailId, files: "link" }],
      { name: "Cleo", email: "cleo@x.example" },
    );
    const { documents } = await settled(batchId);
    const [mail] = mailsTo("cleo@x.example");
    expect(mail?.text)
      .to.include("Subject: News for Cleo")
      .and.to.include("Dear Cleo, here it is")
      .and.to.include("Letter to Cleo.html")
      .and.not.to.include("Content-Disposition: attachment");
    const [output] = documents[0]?.outputs ?? [];
    expect(mail?.text).to.include(output?.url);
  });

  it("attach all images of an email template, and warn of what Gmail cuts off", async () => {
    const png =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAD0lEQVR42mNgaGhAIJwcAOQnDAH2DXJvAAAAAElFTkSuQmCC";
    const mailId = await caller.publish({
      templateType: "email",
      definition: {
        ...letter,
        email: { subject: "News" },
        components: [
          { type: "image", src: png, alt: "Logo" },
          { type: "image", src: "file:///logo.png", alt: "Refused" },
          { type: "hero", background: "{{ root.picture }}", components: [] },
          { type: "qrcode", value: "A-1" },
          { type: "text", text: "{{ root.name }}" },
        ],
      },
    });
    const { batchId } = await send(
      [{ to: "{{root.email}}", template: mailId }],
      {
        name: "x".repeat(102_000),
        email: "fay@x.example",
      },
    );
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery?.receipt?.warnings?.join()).to.match(
      /The html of the email has 1\d{5} bytes, and Gmail cuts off/,
    );
    const [mail] = mailsTo("fay@x.example");
    expect(mail?.text).not.to.include("data:image");
    const ids = mail?.text.match(/(?<=Content-ID: <)[^>]+/g) ?? [];
    expect(ids).to.have.length(4);
    for (const id of ids) {
      expect(id).to.match(/^image-\d\.[\da-f-]{36}@platen$/);
      expect(mail?.text).to.include(`"cid:${id}"`);
    }
  });

  const incomplete = {
    ...letter,
    components: [
      { type: "text", text: "Hallo {{ root.name }}" },
      { type: "image", src: "data:image/png;base64,AAAA", alt: "Broken" },
      { type: "qrcode", value: "A-1" },
      { type: "qrcode", value: "A-1" },
    ],
  };

  it("warn of what their emails lack, and attach equal images once", async () => {
    const mailId = await caller.publish({
      templateType: "email",
      definition: incomplete,
    });
    const { batchId } = await send(
      [
        { to: "{{root.email}}", template: mailId },
        { to: "{{root.email}}", subject: "S", body: "Hi {{ root.name }}" },
      ],
      { email: "gina@x.example" },
    );
    const [designed, plainText] = await deliveriesOf(batchId);
    expect(designed?.receipt?.warnings?.join("\n"))
      .to.include("The data has no root.name")
      .and.to.include("data:image/png;base64,AAAA: ");
    expect(plainText?.receipt?.warnings).to.eql([
      "The data has no root.name, which `body` prints.",
    ]);
    const mail = mailsTo("gina@x.example").find(({ text }) =>
      text.includes("Content-ID"),
    );
    expect(mail?.text.match(/Content-ID: /g)).to.have.length(2);
  });

  it("fail instead with `strict` of the batch", async () => {
    const mailId = await caller.publish({
      templateType: "email",
      definition: incomplete,
    });
    const complete = await caller.publish({
      definition: { ...definition, fileName: "x", components: [] },
    });
    const { batchId } = await sendBatch(caller, {
      templateId: complete,
      formats: ["html"],
      strict: true,
      items: [{ data: { email: "hugo@x.example" } }],
      deliver: [
        { to: "{{root.email}}", template: mailId },
        { to: "{{root.email}}", subject: "S {{ root.name }}", body: "Hi" },
        { to: "{{root.email}}", subject: "S", body: "Hi {{ root.email }}" },
      ],
    });
    const deliveries = await deliveriesOf(batchId);
    const [designed, plainText, filled] = deliveries;
    expect(designed?.status).to.equal("failed");
    expect(designed?.error)
      .to.include("strict is true")
      .and.to.include("The data has no root.name")
      .and.to.include("data:image/png;base64,AAAA: ");
    expect(plainText?.error).to.include("root.name, which `subject` prints");
    expect(filled).to.include({ status: "succeeded", error: null });
    expect(mailsTo("hugo@x.example")).to.have.length(1);
  });

  it("go to the caller alone in a test", async () => {
    const { email } = await service.store.read.findOneByOrFail(User, {
      id: caller.userId,
    });
    const { batchId } = await send(
      [{ to: "{{root.email}}", cc: "boss@x.example", testTo: "me" }],
      { name: "Dora", email: "dora@x.example" },
    );
    await settled(batchId);
    expect(mailsTo("dora@x.example")).to.eql([]);
    const [mail] = mailsTo(email);
    expect(mail?.to).to.eql([email]);
    expect(mail?.text).to.include("Subject: [Test] Letter to Dora");
  });

  it("fail with a clear error where the record has no address, or an invalid one", async () => {
    const to = "{{ root.email }}";
    const none = await send([{ to }], { name: "Eve", email: "" });
    const [empty] = await deliveriesOf(none.batchId);
    expect(empty).to.include({ status: "failed", attempts: 1 });
    expect(empty?.error).to.include("`to` is empty");
    const bad = await send([{ to }], { name: "Eve", email: "eve at home" });
    const [invalid] = await deliveriesOf(bad.batchId);
    expect(invalid?.error).to.include(
      '`to` is not an email address: "eve at home"',
    );
  });

  /** Who gets the mail; or the error, or the warning beside. */
  const addressed: readonly [string, readonly string[], string?][] = [
    ["ann@a.example, bob@b.example", ["ann@a.example", "bob@b.example"]],
    ["ann@a.example;bob@b.example;", ["ann@a.example", "bob@b.example"]],
    ["ann@a.example\nbob@b.example", ["ann@a.example", "bob@b.example"]],
    ["ann@a.example\r\n\r\nbob@b.example", ["ann@a.example", "bob@b.example"]],
    ['"Ann, of A; B" <ann@a.example>', ["ann@a.example"]],
    ["Ann O'Neil (sales) <ann@a.example>", ["ann@a.example"]],
    ["ann@a.example (Ann)", ["ann@a.example"]],
    ["<o.neil+tag@a.example>", ["o.neil+tag@a.example"]],
    ['"ann@a.example" <ann@a.example>', ["ann@a.example"]],
    ["info@exämple.de", ["info@xn--exmple-cua.de"]],
    ["Große <info@GRÖSSE.example>", ["info@xn--grsse-kua.example"]],
    ["ann@例え.テスト", ["ann@xn--r8jz45g.xn--zckzah"]],
    [
      '"ann@a.example" <evil@b.example>',
      ["evil@b.example"],
      'name "ann@a.example" before evil@b.example in `to` was left out',
    ],
    ["ann@a.example bob@b.example", [], '"ann@a.example bob@b.example"'],
    ["ann@a.example / bob@b.example", [], '"ann@a.example / bob@b.example"'],
    ["ann@exa mple.com", [], '"ann@exa mple.com"'],
    ["ann@a.example <evil@b.example>", [], "is not an email address"],
    ["ann@a.example, bob", [], '"bob"'],
    ["ann@a.example；bob@b.example", [], "is not an email address"],
    ["ann@@a.example", [], '"ann@@a.example"'],
    ["ann@a..example", [], '"ann@a..example"'],
    [".ann@a.example", [], '".ann@a.example"'],
    ["ann.@a.example", [], '"ann.@a.example"'],
    ["ann@-a.example", [], '"ann@-a.example"'],
    ["ann@exa%6Dple.de", [], '"ann@exa%6Dple.de"'],
    ["Team: ann@a.example", [], "is not an email address"],
    ['"Ann <ann@a.example>', [], "is not an email address"],
    ["Ann <ann@a.example> <b@b.example>", [], "is not an email address"],
    ["mailto:ann@a.example", ["ann@a.example"]],
    ["Ann <mailto:ann@a.example>", ["ann@a.example"]],
    ["ann@a.example<mailto:ann@a.example>", ["ann@a.example"]],
    ["mailto:ann@a.example?cc=bob@b.example", [], "is not an email address"],
    ["mailto:ann%2Bshop@a.example", [], '"mailto:ann%2Bshop@a.example"'],
    ["ann@a.example <Ann@A.example>", ["Ann@a.example"]],
    ["'ann@a.example' <ann@a.example>", ["ann@a.example"]],
    ["\"'ann@a.example'\" <ann@a.example>", ["ann@a.example"]],
    ["info@exämple.de <info@exämple.de>", ["info@xn--exmple-cua.de"]],
    ['Ann "Annie" Doe <ann@a.example>', ["ann@a.example"]],
    ['Ann "<bob@b.example>" <ann@a.example>', ["ann@a.example"], "left out"],
    ["ann@a.example; ", ["ann@a.example"]],
    ["Ann\u00a0Doe\u00a0<ann@a.example>", ["ann@a.example"]],
    ["Team: ann@a.example, bob@b.example;", [], '"Team: ann@a.example"'],
    ["Undisclosed recipients:;", [], '"Undisclosed recipients:"'],
    ["ann@a.example, Doe, Bob <bob@b.example>", [], '"Doe"'],
    ["Doe, <bob@b.example>", [], '"Doe"'],
    [
      "“Doe, Ann” <ann@a.example>, „Roe; Bob“ <bob@b.example>",
      ["ann@a.example", "bob@b.example"],
    ],
    ["“Doe, Ann <ann@a.example>, bob@b.example", [], '"“Doe"'],
    ["ann＠a.example", [], '"ann＠a.example"'],
    ["ann；bob@b.example", [], '"ann；bob@b.example"'],
    ["ann、bob@b.example", [], '"ann、bob@b.example"'],
    ["ａｎｎ@b.example", [], '"ａｎｎ@b.example"'],
    ["ann@192.0.2.1", [], '"ann@192.0.2.1"'],
    ["ann@[192.0.2.1]", [], '"ann@[192.0.2.1]"'],
    ["ann@a.example.", [], '"ann@a.example."'],
    ["[ann@a.example](mailto:ann@a.example)", [], "is not an email address"],
    ["jörg@a.example", [], "lacks SMTPUTF8"],
    [
      "\u202aann@a.example\u202c, \u200b<\u00adbob@b.example>",
      ["ann@a.example", "bob@b.example"],
    ],
    ["ann\u200b@a.example", [], '"ann\\u{200b}@a.example"'],
    ['"ann＠a.example" <evil@b.example>', ["evil@b.example"], "was left out"],
    [
      '"=?utf-8?q?ann=40a.example?=" <evil@b.example>',
      ["evil@b.example"],
      "was left out",
    ],
    ['"Ann, ann@a.example; bob@b.example', [], "is not an email address"],
    ['"Ann\\" <ann@a.example>', [], "is not an email address"],
    ["ann@a.example\tbob@b.example", [], "is not an email address"],
    ["\u00a0ann@a.example\ufeff", ["ann@a.example"]],
    ["'ann@a.example', ‘bob@b.example’", ["ann@a.example", "bob@b.example"]],
    ['"ann@a.example"', ["ann@a.example"]],
    ["'ann@a.example, bob@b.example'", [], '"bob@b.example\'"'],
    ["Dr. Ann Doe, M.Sc., MBA <ann@a.example>", ["ann@a.example"]],
    ["Doe, Ann, Bob <bob@b.example>", [], '"Doe"'],
    ["Doe, Ann [mailto:ann@a.example]", ["ann@a.example"]],
    ["ann@a.example [mailto:bob@b.example]", [], "is not an email address"],
    ["ann@a.example、bob@b.example", [], "is not an email address"],
    ["Müller, Jörg <ann@a.example>", ["ann@a.example"]],
    [
      "Doe, Ann <ann@a.example>; Roe, Bob (IT)\u00a0<bob@b.example>; ",
      ["ann@a.example", "bob@b.example"],
    ],
    ["ann@a.example\u0000", [], '"ann@a.example\\u0000"'],
    ["Ann\u0001 <ann@a.example>", [], "is not an email address"],
    ["ann@a.example, Ann <ann@A.example>", ["ann@a.example"]],
    ["info@faß.example", ["info@xn--fa-hia.example"]],
  ];

  it("go to every address of a list, or fail and name what is none", async () => {
    const asciiOnly = await connect(plain);
    const { batchId } = await send(
      [{ connection: asciiOnly, to: "{{ root.email }}" }],
      ...addressed.map(([email]) => ({ name: "Ann", email })),
    );
    const { documents } = await settled(batchId);
    for (const [index, [value, addresses, text = ""]] of addressed.entries()) {
      const response = await caller.get(
        `/api/documents/${documents[index]?.id}`,
      );
      const [delivery] = (await replies.document(response)).deliveries ?? [];
      const { error, receipt } = delivery ?? {};
      if (addresses.length === 0) {
        expect(error, value).to.include(text);
        continue;
      }
      expect(error, value).to.equal(null);
      expect(receipt?.warnings?.join() ?? "", value).to.include(text);
      const mail = plain.mails.find((one) =>
        one.text.includes(`Message-ID: ${receipt?.id}`),
      );
      // The server of the test decodes domains.
      const to = mail?.to.map((address) =>
        address.replace(/[^@]+$/, domainToASCII),
      );
      expect(to, value).to.eql(addresses);
      for (const address of addresses)
        expect(mail?.text, value)
          .to.match(/^To:[^]*?^\S/m)
          .and.to.include(address);
      expect(/^To:.*[\u0080-\uffff]/m.test(mail?.text ?? ""), value).to.equal(
        false,
      );
    }
  });

  it("go to letters before the @ by servers with SMTPUTF8", async () => {
    const { batchId } = await send([{ to: "jörg@exämple.de" }], { name: "J" });
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery).to.include({ status: "succeeded", error: null });
  });

  it("check the addresses of copies and of answers alike", async () => {
    for (const field of ["cc", "bcc", "replyTo"]) {
      const { batchId } = await send(
        [{ to: "ann@x.example", [field]: "ann@exa mple.com" }],
        { name: "Ann" },
      );
      const [delivery] = await deliveriesOf(batchId);
      expect(delivery?.error).to.include(`\`${field}\` is not an email`);
    }
  });

  it("go to the address of the record, whatever its name contains", async () => {
    const name = 'Ann", <other@x.example>, "';
    for (const to of [
      '"{{ root.name }}" <{{ root.email }}>',
      "{{ root.name }} (shop) <{{ root.email }}>",
      "Dear {{ root.name }}<{{ root.email }}>, copy@x.example",
    ]) {
      const { batchId } = await send([{ to, filename: "x" }], {
        name,
        email: "ann@x.example",
      });
      const [delivery] = await deliveriesOf(batchId);
      expect(delivery).to.include({ status: "succeeded", error: null });
      expect(mailsTo("ann@x.example").length, to).to.be.above(0);
      expect(mailsTo("other@x.example"), to).to.deep.equal([]);
      server.mails.length = 0;
    }
  });

  it("are retried after a temporary refusal, and not after a final one", async () => {
    server.replies.set("grey@x.example", [451, 451]);
    server.replies.set("full@x.example", [552, 552]);
    const grey = await send([{ to: "grey@x.example" }], { name: "F" });
    const [listed] = await deliveriesOf(grey.batchId);
    expect(listed).to.include({ status: "succeeded", attempts: 3 });
    const full = await send([{ to: "full@x.example" }], { name: "G" });
    const [refused] = await deliveriesOf(full.batchId);
    expect(refused).to.include({ status: "failed", attempts: 1 });
    expect(refused?.error).to.include("a mailbox is full");
    expect(mailsTo("grey@x.example")).to.have.length(1);
  });

  it("are not sent again when the server drops the connection after the mail, unless a person asks for it", async () => {
    const to = "drop@x.example";
    server.replies.set(to, ["drop"]);
    const { batchId } = await send([{ to }], { name: "Hal" });
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery).to.include({ status: "unknown", attempts: 1 });
    expect(delivery?.error).to.include("may have arrived");
    expect(mailsTo(to)).to.have.length(1);
    const path = `/api/batches/${batchId}/deliveries/retry`;
    const cautious = await caller.post(path, {});
    expect(cautious.status).to.equal(409);
    expect(await readError(cautious)).to.include("set unknown to true");
    await readBatch(await caller.post(path, { unknown: true }), 202);
    const [again] = await deliveriesOf(batchId);
    expect(again?.status).to.equal("succeeded");
    const ids = mailsTo(to).map(
      ({ text }) => /Message-ID: (.*)/.exec(text)?.[1],
    );
    expect(ids).to.have.length(2);
    expect(new Set(ids).size).to.equal(1);
  });

  it("go through an organization's own mail server, whose password is checked", async () => {
    const user = { user: "shop", password: "s3cret" };
    const right = await connect(guarded, user);
    const wrong = await connect(guarded, { ...user, password: "other" });
    const tested = await caller.post(`/api/connections/${wrong}/test`, {});
    const text = await tested.text();
    expect(text).to.include("did not accept the user and the password");
    const to = "ida@x.example";
    const [good, bad] = await Promise.all(
      [right, wrong].map(async (connection) => {
        const { batchId } = await send([{ connection, to }], { name: "Ida" });
        const [delivery] = await deliveriesOf(batchId);
        return delivery;
      }),
    );
    expect(good).to.include({ status: "succeeded", connection: right });
    expect(bad).to.include({ status: "failed", attempts: 1 });
    const [mail] = mailsTo(to, guarded);
    expect(mail?.text).to.include("From: Billing <billing@shop.example>");
  });

  it("share connections to the server", async () => {
    const earlier = server.connections;
    const people = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}`,
      email: `many${index}@x.example`,
    }));
    const { batchId } = await send([{ to: "{{root.email}}" }], ...people);
    expect((await settled(batchId)).deliveries?.succeeded).to.equal(20);
    expect(server.connections - earlier).to.be.at.most(8);
  });

  it("fail when the mail is larger than the server accepts", async () => {
    const connection = await connect(small);
    const { batchId } = await send([{ connection, to: "j@x.example" }], {
      name: "J".repeat(20_000),
    });
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery).to.include({ status: "failed", attempts: 1 });
    expect(delivery?.error).to.include("larger than the mail server accepts");
  });

  it("fail for a server in a private network that the operator does not allow", async () => {
    const connection = await connect(server, { host: "10.11.12.13" });
    const { batchId } = await send([{ connection, to: "k@x.example" }], {
      name: "K",
    });
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery).to.include({ status: "failed", attempts: 1 });
    expect(delivery?.error).to.match(/private|not allowed|allow/i);
  });

  it("are tried again when the server cannot be reached", async () => {
    const connection = await connect(server, { port: 1 });
    const { batchId } = await send([{ connection, to: "l@x.example" }], {
      name: "L",
    });
    const [delivery] = await deliveriesOf(batchId);
    expect(delivery).to.include({ status: "failed", attempts: 3 });
    expect(delivery?.error).to.include("cannot be reached");
  });

  it("are rejected with the batch when they are requested wrongly", async () => {
    const cases: [object, string][] = [
      [{ to: "{{ root.email | mail }}" }, "$.deliver[0].to"],
      [{ connection: "nothing", to: "a@x.example" }, "$.deliver[0].connection"],
      [{ subject: "Hi" }, "$.deliver[0]"],
      [{ to: "a@x.example", template: templateId }, "$.deliver[0].template"],
      [{ to: "a@x.example", sender: "b" }, "$.deliver[0]"],
    ];
    for (const [entry, path] of cases) {
      const items = [{ data: { name: "M" } }];
      const body = { templateId, formats: ["html"], items, deliver: [entry] };
      const response = await caller.post("/api/export/batch", body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.include(path);
    }
  });

  it("follow the template where the batch says nothing", async () => {
    const id = await caller.publish({ definition });
    const deliver = [{ to: "{{root.email}}", subject: "By default" }];
    const wrong = await caller.patch(`/api/templates/${id}`, {
      deliver: [{ to: "{{root.email" }],
    });
    expect(wrong.status).to.equal(400);
    const patched = await caller.patch(`/api/templates/${id}`, { deliver });
    expect(Object(await patched.json()).deliver).to.eql(deliver);
    const items = [{ data: { name: "N", email: "n@x.example" } }];
    const body = { templateId: id, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, body);
    await settled(batchId);
    expect(mailsTo("n@x.example")).to.have.length(1);
    const quiet = await sendBatch(caller, { ...body, deliver: [] });
    const done = await batchWhen(caller, quiet.batchId);
    expect(done.deliveries).to.equal(null);
  });
});
