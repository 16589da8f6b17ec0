// Automations make batches of a platform's records by themselves, at the times of a schedule or when records change.
//
// An automation has one job in the queue, which waits for `nextRunAt`. A run (column `status`; each change is one
// conditional update):
//
//   (due) ──> running               automation-worker: in the transaction that moves `nextRunAt`, so that a due time is
//                                   used once, whichever process crashes and however many there are
//   (due) ──> skipped               automation-worker: it was missed, and missed runs are skipped
//   (run now) ──> waiting ──> running
//   running ──> running             automation-worker: the platform could not be reached, or the process died
//   running ──> accepted            automation-worker: in the transaction that makes the batch visible and notes its
//                                   records as done; a second one changes nothing and rolls back its batch
//   running ──> empty, noted        automation-worker: no record is due; the records at the start are noted
//   running ──> failed              automation-worker: the automation is paused when only a person can fix the reason
//
// Where a platform has webhooks, it reports changes beside (change-subscriptions creates and deletes them, change-notices
// receives what they send): a notice makes the next look for changes due now, in one conditional update. The row of a
// webhook is written with its automation's change and names its address; the call follows. A call whose result was lost
// leaves a webhook that the next one finds by that address.
export {
  automationPatchSchema,
  automationRunSchema,
  Automations,
  automationSchema,
  type AutomationView,
  newAutomationSchema,
} from "./automations.js";
export { AutomationWorker } from "./automation-worker.js";
export { ChangeNotices } from "./change-notices.js";
export {
  ChangeSubscriptionWorker,
  createSubscriptionRetry,
} from "./change-subscriptions.js";
export { listRuns, parseTrigger } from "./schedule.js";
