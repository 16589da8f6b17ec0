import { openStore } from "../../core/storage/database/index.js";
import { silentLog } from "./recording-log.js";
import { eventsOn } from "./webhooks.js";

// A worker that makes deliveries for the database of a test, until it is killed. Says when it works.

const [location = ""] = process.argv.slice(2);
const database = JSON.parse(location);
const store = await openStore({ database, migrate: true, log: silentLog });
const { queue, events } = eventsOn(store, {}, { leaseMs: 1000 });
events.dispatch.work();
await queue.start();
events.dispatch.start();
events.dispatch.nudge();
console.log("works");
