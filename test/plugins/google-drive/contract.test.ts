import { after, describe, it } from "mocha";
import { deliveryContractSuite } from "../../../plugins/contract-suite/index.js";
import { createDriveSubject } from "./drive-setup.js";

describe("the delivery method google-drive", () => {
  const { checks, close } = deliveryContractSuite(createDriveSubject());
  after(close);
  for (const { title, run } of checks) it(title, run);
});
