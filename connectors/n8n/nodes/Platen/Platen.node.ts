import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { CREDENTIALS } from "../../shared/api.js";
import { createBatch, waitForBatch } from "./batches.js";
import { getDocument, renderDocument } from "./documents.js";
import { properties } from "./properties.js";
import {
  findTemplates,
  getTemplateFields,
  searchTemplates,
} from "./templates.js";

type ItemOperation = (
  context: IExecuteFunctions,
  itemIndex: number,
) => Promise<INodeExecutionData[]>;

/** Those that run once for each item, as `resource:operation`. */
const itemOperations: Record<string, ItemOperation> = {
  "document:render": renderDocument,
  "document:get": getDocument,
  "batch:wait": waitForBatch,
  "template:find": findTemplates,
};

export class Platen implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Platen",
    name: "platen",
    icon: {
      light: "file:../../icons/platen.svg",
      dark: "file:../../icons/platen.dark.svg",
    },
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Create PDF documents, images and emails from templates",
    defaults: { name: "Platen" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIALS, required: true }],
    properties,
  };

  methods = {
    listSearch: { searchTemplates },
    resourceMapping: { getTemplateFields },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const resource = String(this.getNodeParameter("resource", 0));
    const operation = String(this.getNodeParameter("operation", 0));
    const run = itemOperations[`${resource}:${operation}`];
    if (!run) {
      const all = items.map((_, item) => ({ item }));
      return [await attempt(this, 0, all, () => createBatch(this))];
    }
    const results: INodeExecutionData[] = [];
    for (const item of items.keys())
      results.push(
        ...(await attempt(this, item, { item }, () => run(this, item))),
      );
    return [results];
  }
}

/** What the work returns, linked to the items that it is made of; with On Error set to continue, an error is an item too. */
async function attempt(
  context: IExecuteFunctions,
  itemIndex: number,
  pairedItem: NonNullable<INodeExecutionData["pairedItem"]>,
  work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
  try {
    const results = await work();
    return results.map((result) => ({ ...result, pairedItem }));
  } catch (error) {
    const nodeError =
      error instanceof NodeApiError || error instanceof NodeOperationError
        ? error
        : new NodeOperationError(context.getNode(), error as Error, {
            itemIndex,
          });
    if (!context.continueOnFail()) throw nodeError;
    return [
      { json: { error: nodeError.message }, error: nodeError, pairedItem },
    ];
  }
}
