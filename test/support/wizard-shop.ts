import type { TableLocation } from "../../core/integrations/platforms/index.js";
import { operator } from "../../core/accounts/index.js";
import { Organization } from "../../core/storage/database/index.js";
import { ConnectionService } from "../../core/integrations/connections/index.js";
import { FakeAirtable, type FakeTable } from "./fakes/fake-airtable.js";
import type { TestService } from "./service.js";
import type { Person } from "./studio.js";

/** Which addresses a service calls that is to reach the shop. */
export const shopOutbound = { allowPrivateNetworks: ["127.0.0.0/8"] };

/** A base of orders with their lines, as somebody has it who never saw an API. */
export class WizardShop {
  airtable!: FakeAirtable;
  orders!: FakeTable;
  lines!: FakeTable;
  baseId = "";
  orderId = "";
  readonly token = "pat-of-the-shop";

  async open(): Promise<void> {
    this.airtable = await FakeAirtable.start();
    this.airtable.addToken(this.token);
    const base = this.airtable.addBase("Shop");
    this.baseId = base.id;
    this.lines = this.airtable.addTable(base, "Order lines", {
      Title: "singleLineText",
      Amount: "number",
    });
    this.orders = this.airtable.addTable(base, "Orders", {
      "Order No.": "singleLineText",
      Customer: "singleLineText",
      "Issued on": "date",
      Total: "number",
      Items: {
        type: "multipleRecordLinks",
        options: { linkedTableId: this.lines.id },
      },
      "Invoice PDF": "multipleAttachments",
    });
    this.fill();
  }

  private fill(): void {
    const Items = [
      this.lines.add({ Title: "Oak table", Amount: 420 }),
      this.lines.add({ Title: "Two chairs", Amount: 180 }),
    ];
    this.orderId = this.orders.add({
      "Order No.": "2026-117",
      Customer: "Lindvey & Sons",
      "Issued on": "2026-11-21",
      Total: 600,
      Items,
    });
    this.orders.add({ "Order No.": "2026-118", Customer: "Ada Byron" });
  }

  get place(): Omit<TableLocation, "connectionId"> {
    return { baseId: this.baseId, tableId: this.orders.id };
  }

  /** The names of the files in the order's cell. */
  listFiles(recordId = this.orderId): string {
    return JSON.stringify(
      this.orders.show(this.orders.record(recordId), false),
    );
  }

  /** The page of a step, as somebody comes to it who has chosen the orders. */
  wizardPath(step: string, chosen: Record<string, string>): string {
    const query = new URLSearchParams({
      ...chosen,
      base: this.baseId,
      table: this.orders.id,
      field: this.orders.field("Invoice PDF").id,
    });
    return `start/${step}?${query.toString()}`;
  }

  /** A connection to it. @returns its id. */
  async connect(service: TestService, person: Person): Promise<string> {
    const { url } = this.airtable;
    const { token } = this;
    const credentials = { token, endpointUrl: url, contentUrl: url };
    const input = { platform: "airtable", name: "Our shop", credentials };
    const connections = service.container.resolve(ConnectionService);
    return (await connections.create(person, input, operator)).id;
  }
}

/** The shop of a suite, from its `before` to its `after`. */
export function useShop(): WizardShop {
  const shop = new WizardShop();
  before(() => shop.open());
  after(() => shop.airtable.close());
  return shop;
}

export async function allowBatches(
  service: TestService,
  { organizationId: id }: Person,
): Promise<void> {
  await service.store.unitOfWork.run((tx) =>
    tx.update(Organization, { id }, { plan: "premium" }),
  );
}
