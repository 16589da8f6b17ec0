import { expect } from "chai";
import { it } from "mocha";
import { openStore } from "../../core/storage/database/index.js";
import { queueOn } from "../support/queue.js";
import { suiteFolder } from "../support/store-folder.js";
import { silentLog } from "../support/recording-log.js";

const folder = suiteFolder();

it("reports a queue server that cannot be reached at the start", async () => {
  const store = await openStore({
    database: { kind: "sqlite", file: `${folder}/queue.sqlite` },
    migrate: true,
    log: silentLog,
  });
  const serverUrl = "postgres://127.0.0.1:1/queue";
  const queue = queueOn(store, { serverUrl });
  const failure: unknown = await queue.start().catch((error: unknown) => error);
  await queue.stop(0);
  await store.close();
  expect(failure).to.include({ code: "unavailable" });
  expect(failure).property("message").to.include("PLATEN_QUEUE_URL");
});
