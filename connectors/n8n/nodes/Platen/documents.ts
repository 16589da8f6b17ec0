import type {
  IBinaryData,
  IExecuteFunctions,
  INodeExecutionData,
} from "n8n-workflow";
import type { Answer, Body } from "../../../../sdk/src/calls.js";
import { call, downloadFiles, toIdempotencyKey } from "../../shared/api.js";
import { readData, readOptions, readTemplateId } from "./data.js";

type Format = Body<"exportDocument">["formats"][number];

/** Document > Render. */
export async function renderDocument(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const format = context.getNodeParameter("format", itemIndex) as Format;
  const { data, headers } = await call(context, "exportDocument", {
    body: {
      ...readOptions(context, itemIndex, ["renderOptions"]),
      templateId: readTemplateId(context, itemIndex),
      formats: [format],
      data: readData(context, itemIndex),
    },
    idempotencyKey: toIdempotencyKey(context, itemIndex),
    itemIndex,
  });
  const json = {
    documentId: headers["x-document-id"],
    warningCount: Number(headers["x-render-warnings"] ?? 0),
    format,
    ...data[format],
  };
  if (!context.getNodeParameter("download", itemIndex, true)) return [{ json }];
  const field = String(context.getNodeParameter("binaryField", itemIndex));
  return [
    {
      // Text that came with the response is in the file.
      json: { ...json, htmlDocument: undefined, mjmlDocument: undefined },
      binary: await toBinary(context, data, field, itemIndex),
    },
  ];
}

async function toBinary(
  context: IExecuteFunctions,
  { pdf, image, html, mjml, xml }: Answer<"exportDocument">,
  field: string,
  itemIndex: number,
): Promise<Record<string, IBinaryData>> {
  const file = pdf ?? image ?? xml;
  if (file) {
    const files = [{ label: "", ...file }];
    return downloadFiles(context, files, field, itemIndex);
  }
  const text = html?.htmlDocument ?? mjml?.mjmlDocument ?? "";
  const [name, type] = html
    ? ["document.html", "text/html"]
    : ["email.mjml", "text/mjml"];
  const content = Buffer.from(text);
  return {
    [field]: await context.helpers.prepareBinaryData(content, name, type),
  };
}

/** Document > Get. */
export async function getDocument(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const id = String(context.getNodeParameter("documentId", itemIndex));
  const request = { ids: [id], itemIndex };
  const { data } = await call(context, "getDocument", request);
  return [await toItem(context, data, itemIndex)];
}

/** A document as an item, with its files if they are wanted. */
export async function toItem(
  context: IExecuteFunctions,
  document: Answer<"getDocument">,
  itemIndex: number,
): Promise<INodeExecutionData> {
  const json = { ...document };
  if (!context.getNodeParameter("download", itemIndex, true)) return { json };
  const field = String(context.getNodeParameter("binaryField", itemIndex));
  const { outputs } = document;
  return {
    json,
    binary: await downloadFiles(context, outputs, field, itemIndex),
  };
}
