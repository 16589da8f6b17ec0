// Documents are delivered to where they are needed: as emails, and to storages. A batch says where; the transaction in
// which one of its documents succeeds inserts a row for each delivery, and a job that names it. A failed delivery does not
// change the document.
//
// A delivery (column `status`; every change is one conditional update):
//
//   pending ──> sending     worker: the files and the values of the expressions are ready; the row says so before
//                           anything leaves the service
//   sending ──> succeeded   worker: with the receipt
//   sending ──> pending     worker: nothing was delivered, and a later attempt may succeed; or the method is repeatable
//   sending ──> unknown     worker: the method is not repeatable, and the other side may have accepted the delivery: it
//                           did not answer, or the process ended meanwhile
//   pending ──> failed      worker: it cannot be delivered, such as without an address; its batch was cancelled
//   sending ──> failed      worker: it was refused for good, or too often
//   failed, unknown ──> pending   a person asks for another attempt
//
// So a mail is sent at most once unless a person decides otherwise, and a file in a storage is written at least once, to
// the same place.
export { Deliveries } from "./deliveries.js";
export { DeliveryConnections } from "./delivery-connections.js";
export { DeliveryWorker } from "./delivery-worker.js";
