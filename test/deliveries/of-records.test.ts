import { expect } from "chai";
import { sftpPlugin } from "../../plugins/sftp/plugin.js";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import {
  createAutomation,
  fetchAutomation,
  postAutomation,
  readAutomation,
  runNow,
} from "../support/automations.js";
import { readError, reader } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { createLink, openAndSubmit } from "../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../support/records.js";
import { useSftpServer } from "../support/sftp-server.js";

const readConnection = reader(connectionSchema);

describe("documents of records", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    others: [sftpPlugin],
    config: { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } },
  });
  const sftp = useSftpServer();
  let caller: RecordCaller;
  let connection: string;
  before(async () => {
    caller = await newRecordCaller(service);
    const response = await caller.post("/api/connections", {
      delivery: "sftp",
      name: "Archive",
      credentials: sftp().credentials,
    });
    connection = (await readConnection(response, 201)).id;
  });

  const waitForFile = (folder: string) =>
    eventually(async () =>
      (await sftp().list()).some(({ name }) => name.startsWith(`${folder}/`)),
    );

  it("are delivered where their link says", async () => {
    addOrder(platform, "L", 1);
    const deliver = [{ connection, folder: "by-link" }];
    const { url } = await createLink(caller, { deliver });
    await openAndSubmit(url, "L");
    await waitForFile("by-link");
  });

  it("are delivered where their automation says, else where the template says", async () => {
    addOrder(platform, "A", 1);
    platform.view("tblOrders", "Mine", ["A"]);
    const view = {
      records: { viewId: "Mine" },
      attachmentField: undefined,
      repeat: "always",
    };
    const deliver = [{ connection, folder: "by-automation" }];
    const wrong = await postAutomation(caller, {
      ...view,
      deliver: [{ connection, to: "somebody" }],
    });
    expect(await readError(wrong)).to.include("$.deliver[0]");
    const { id, ...created } = await createAutomation(caller, {
      ...view,
      deliver,
    });
    expect(created.deliver).to.deep.equal(deliver);
    await runNow(caller, id);
    await waitForFile("by-automation");
    const templates = `/api/templates/${caller.templateId}`;
    await caller.patch(templates, {
      deliver: [{ connection, folder: "by-template" }],
    });
    await readAutomation(
      await caller.patch(`/api/automations/${id}`, { deliver: null }),
    );
    expect((await fetchAutomation(caller, id)).deliver).to.equal(null);
    await runNow(caller, id);
    await waitForFile("by-template");
  });
});
