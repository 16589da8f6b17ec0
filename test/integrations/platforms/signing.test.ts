import { expect } from "chai";
import { SignatureRequest } from "../../../core/storage/database/index.js";
import { useEsign } from "../../support/esign.js";
import { eventually } from "../../support/eventually.js";
import {
  memoryPlugin,
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  sendRecords,
} from "../../support/records.js";

const [root, ...others] = orderDefinition.schema;

/** Signed by the order's customer. */
const definition = {
  ...orderDefinition,
  schema: [
    {
      ...root,
      connection: {
        ...root?.connection,
        submitters: [
          {
            role: "Customer",
            email: "{{ root.number | lower }}@example.com",
            name: "{{ root.customer.name }}",
          },
        ],
      },
    },
    ...others,
  ],
  components: [
    {
      type: "sign-field",
      field: "signature",
      name: "Signature",
      submitter: "Customer",
    },
  ],
};

describe("records whose documents are sent for signature", () => {
  const platform = ordersPlatform();
  const harness = useEsign({ platforms: [memoryPlugin(platform)] });
  const { memory, service } = harness;

  it("name the signers and receive the signed file beside the document", async () => {
    const caller = await newRecordCaller(service, definition);
    await harness.connect(caller);
    harness.caller = caller;
    addOrder(platform, "A");
    const { batchId } = await sendRecords(caller, ["A"], {
      formats: ["pdf"],
      attachmentField: "Invoice",
      sendForSignature: true,
    });
    await waitForWriteBacks(caller, batchId);
    const { id } = await service.store.read.findOneByOrFail(SignatureRequest, {
      batchId,
    });
    await harness.waitForStatus(id, "pending");
    const [submission] = memory.findSubmissions(id);
    expect(submission?.request.submitters).to.have.nested.property(
      "[0].email",
      "a@example.com",
    );
    expect(submission?.request.submitters[0]?.name).to.equal("Customer of A");
    memory.end(id, "completed");
    const files = await eventually(() => {
      const found = platform.listFiles("A");
      return Promise.resolve(found.length === 3 && found);
    });
    expect(files[0]).to.match(/^(?!.*signed).*\.pdf$/);
    expect(files[1]).to.include("signed");
  });

  it("receive no PDF that was not requested except the signed one", async () => {
    const caller = await newRecordCaller(service, definition);
    await harness.connect(caller);
    addOrder(platform, "B");
    const { batchId } = await sendRecords(caller, ["B"], {
      formats: ["html"],
      attachmentField: "Invoice",
      sendForSignature: true,
    });
    await waitForWriteBacks(caller, batchId);
    expect(platform.listFiles("B")).to.have.length(1);
    expect(platform.listFiles("B")[0]).to.include(".html");
  });
});
