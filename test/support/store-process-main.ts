import {
  openStore,
  type DatabaseLocation,
  User,
} from "../../core/storage/database/index.js";
import type { Log } from "../../core/plugin-api/index.js";
import { userRow } from "./store.js";
import { silentLog } from "./recording-log.js";

// A process on a database of the tests. `migrate` prints the name of each migration that it ran; `write-and-hang`
// commits one row, leaves a unit of work open in which it wrote more, and says so.

const [act, location = ""] = process.argv.slice(2);

const log: Log = {
  ...silentLog,
  info: (fields) => {
    if ("migrations" in fields && Array.isArray(fields.migrations))
      console.log(fields.migrations.join("\n"));
  },
};

const database: DatabaseLocation = JSON.parse(location);
const store = await openStore({ database, migrate: true, log });

if (act === "write-and-hang") {
  await store.unitOfWork.run((tx) => tx.insert(User, userRow("Before")));
  await store.unitOfWork.run(async (tx) => {
    await tx.insert(User, userRow("Halfway"));
    console.log("halfway");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
}
await store.close();
