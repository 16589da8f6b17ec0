import { expect } from "chai";
import { it } from "mocha";
import { openStore } from "../../core/storage/database/index.js";
import { queueOn } from "../support/queue.js";
import { suiteFolder } from "../support/store-folder.js";
import { silentLog } from "../support/recording-log.js";

const folder = suiteFolder();

it("a queue server that cannot be reached is an error at the start", async () => {
  const store = await openStore({
    database: { kind: "sqlite", file: `${folder}/queue.sqlite` },
    migrate: true,
    log: silentLog,
  });
  const serverUrl = "postgres://127.0.0.1:1/queue";
  const queue = queueOn(store, { serverUrl });
  const fault: unknown = await queue.start().catch((error: unknown) => error);
  await queue.stop(0);
  await store.close();
  expect(fault).to.include({ code: "unavailable" });
  expect(fault).property("message").to.include("PLATEN_QUEUE_URL");
});
