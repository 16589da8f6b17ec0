import {
  type IDataObject,
  type IExecuteFunctions,
  NodeOperationError,
} from "n8n-workflow";

/** The record of an item: from its JSON, or from the mapped fields. */
export function readData(
  context: IExecuteFunctions,
  itemIndex: number,
): IDataObject {
  if (context.getNodeParameter("dataMode", itemIndex) === "json")
    return readJson(context, "json", itemIndex);
  const { mappingMode, value } = context.getNodeParameter(
    "fields",
    itemIndex,
  ) as { mappingMode: string; value: IDataObject | null };
  if (mappingMode === "autoMapInputData")
    return context.getInputData()[itemIndex]?.json ?? {};
  // Fields that were left empty are null.
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, one]) => one !== null),
  );
}

/** The template that was chosen from the list or by its id. */
export function readTemplateId(
  context: IExecuteFunctions,
  itemIndex: number,
): string {
  const options = { extractValue: true };
  return String(context.getNodeParameter("templateId", itemIndex, "", options));
}

/** The options that were added, without empty ones; those named here are JSON. */
export function readOptions(
  context: IExecuteFunctions,
  itemIndex: number,
  jsonNames: readonly string[] = [],
): IDataObject {
  const options = context.getNodeParameter("options", itemIndex, {});
  return Object.fromEntries(
    Object.entries(options as IDataObject)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [
        name,
        jsonNames.includes(name)
          ? readJson(context, `options.${name}`, itemIndex)
          : value,
      ]),
  );
}

/** A parameter that is a JSON object, or a text with one. */
export function readJson(
  context: IExecuteFunctions,
  name: string,
  itemIndex: number,
): IDataObject {
  const value = context.getNodeParameter(name, itemIndex);
  const parsed = typeof value === "string" ? parse(value) : value;
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
    return parsed as IDataObject;
  throw new NodeOperationError(
    context.getNode(),
    `The parameter ${name} must be a JSON object`,
    { itemIndex, description: 'For example { "number": "2026-117" }.' },
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
