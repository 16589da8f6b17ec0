import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { SigningCertificate } from "../../core/storage/database/index.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { readError, replies, type TestCaller } from "../support/caller.js";
import {
  issueCertificate,
  issueChain,
  toPkcs12,
} from "../support/certificates.js";
import { eventually } from "../support/eventually.js";
import { FakeTsa, type TsaFault } from "../support/fakes/fake-tsa.js";
import { useService } from "../support/service.js";
import { readSignature } from "../support/signatures.js";
import { definition } from "../support/store.js";

const { batch } = parseConfig({ PLATEN_BATCH_RETRY_DELAYS: "50ms,100ms,1s" });

describe("the timestamp of a digital signature", () => {
  const service = useService({
    config: { batch, outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } },
  });
  const { root, intermediate, signer } = issueChain();
  const tsa = new FakeTsa(root);
  let caller: TestCaller;
  let templateId: string;

  before(async () => {
    await tsa.start();
    caller = await newBatchCaller(service);
    templateId = await caller.publish({
      definition: { ...definition, pdf: { sign: true } },
    });
    const response = await store();
    expect(response.status, await response.clone().text()).to.equal(200);
  });
  after(() => tsa.stop());
  beforeEach(() => {
    tsa.fault = null;
  });

  const store = async () => {
    const pkcs12 = await toPkcs12(signer, intermediate, root);
    return caller.put("/api/signing-certificate", {
      pkcs12: pkcs12.toString("base64"),
      password: "secret",
      timestampUrl: tsa.url,
    });
  };
  const send = () =>
    caller.post("/api/export", {
      templateId,
      formats: ["pdf"],
      data: { name: "Ada" },
    });
  const read = async (url = "") => {
    const response = await fetch(url);
    const bytes = Buffer.from(await response.arrayBuffer());
    return readSignature(bytes, root.certificate);
  };

  it("is that of the configured server, about this signature", async () => {
    const startedAt = new Date();
    const { pdf } = await replies.exported(await send());
    const signature = await read(pdf?.url);
    expect(signature?.isIntact).to.equal(true);
    expect(signature?.timestampedAt?.getTime()).to.be.within(
      startedAt.getTime() - 1000,
      Date.now() + 1000,
    );
  });

  const faults: [TsaFault, string][] = [
    ["nonce", "returned the timestamp of another request"],
    ["imprint", "returned a timestamp of something else"],
    ["signature", "returned a timestamp with a wrong signature"],
    ["purpose", "returned a timestamp whose certificate is not for timestamps"],
    ["expired", "has a certificate that expired on 2021-01-01"],
    ["rejected", "rejected the request (Quota used up)"],
    ["status", "answered with the status 503"],
    ["garbage", "did not return a timestamp"],
  ];
  for (const [fault, message] of faults)
    it(`is refused, and so is the PDF, when the server ${message}`, async () => {
      tsa.fault = fault;
      const response = await send();
      expect(response.status).to.equal(503);
      expect(await readError(response)).to.include(
        `The PDF cannot be signed with a timestamp: the timestamp server ${new URL(tsa.url).host} ${message}.`,
      );
    });

  it("is tried when the server is stored, so that a wrong address is noticed then", async () => {
    tsa.fault = "garbage";
    const response = await store();
    expect(response.status).to.equal(503);
    expect(await readError(response)).to.include("did not return a timestamp");
  });

  it("cannot be had while the server is down", async () => {
    await tsa.stop();
    const response = await send();
    expect(response.status).to.equal(503);
    expect(await readError(response)).to.match(
      /^The PDF cannot be signed with a timestamp: Cannot connect to 127\.0\.0\.1:\d+: nothing listens there\.$/,
    );
    await tsa.start();
  });

  it("is asked for again in a batch, so that a short outage of the server fails no document", async () => {
    const { requests } = tsa;
    tsa.fault = "status";
    const { batchId } = await sendBatch(caller, {
      templateId,
      formats: ["pdf"],
      items: [{ data: { name: "Ada" } }],
    });
    await eventually(() => tsa.requests > requests);
    tsa.fault = null;
    await batchWhen(caller, batchId);
    const path = `/api/documents?batchId=${batchId}`;
    const { data } = await replies.documents(await caller.get(path));
    expect(data.map(({ status }) => status)).to.eql(["succeeded"]);
    const { outputs } = await replies.document(
      await caller.get(`/api/documents/${data[0]?.id}`),
    );
    const signature = await read(outputs[0]?.url);
    expect(signature?.timestampedAt).to.be.instanceOf(Date);
  });

  it("gets more space when the server's answers have become longer than they were when it was tried", async () => {
    const { chain } = tsa;
    const key = "rsa-2048";
    tsa.chain = [
      ...chain,
      issueCertificate({ key }),
      issueCertificate({ key }),
    ];
    try {
      const response = await send();
      expect(response.status).to.equal(503);
      expect(await readError(response)).to.include(
        "too little space for its timestamp",
      );
      const { pdf } = await replies.exported(await send());
      expect(await read(pdf?.url)).to.deep.include({ isIntact: true });
    } finally {
      tsa.chain = chain;
    }
  });

  it("is not asked for without a server", async () => {
    const { requests } = tsa;
    await service.store.unitOfWork.run((tx) =>
      tx.update(
        SigningCertificate,
        { organizationId: caller.organizationId },
        { timestampUrl: null, timestampBytes: null },
      ),
    );
    const { pdf } = await replies.exported(await send());
    expect(await read(pdf?.url)).to.deep.include({ timestampedAt: null });
    expect(tsa.requests).to.equal(requests);
  });
});
