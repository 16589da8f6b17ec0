import type { INodeProperties } from "n8n-workflow";

const show = (resource: string, ...operation: string[]) => ({
  show: { resource: [resource], operation },
});

const operations: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      { name: "Batch", value: "batch" },
      { name: "Document", value: "document" },
      { name: "Template", value: "template" },
    ],
    default: "document",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["document"] } },
    options: [
      {
        name: "Get",
        value: "get",
        description: "Retrieve a document by its ID",
        action: "Get a document",
      },
      {
        name: "Render",
        value: "render",
        description: "Create a document from the data of each item",
        action: "Render a document",
      },
    ],
    default: "render",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["batch"] } },
    options: [
      {
        name: "Create",
        value: "create",
        description: "Queue a document for each input item",
        action: "Create a batch",
      },
      {
        name: "Wait",
        value: "wait",
        description:
          "Wait until all documents of a batch are done and return them",
        action: "Wait for a batch",
      },
    ],
    default: "create",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["template"] } },
    options: [
      {
        name: "Find",
        value: "find",
        description: "Find templates by name",
        action: "Find templates",
      },
    ],
    default: "find",
  },
];

const makesDocuments = {
  show: { resource: ["document", "batch"], operation: ["render", "create"] },
};

const template: INodeProperties = {
  displayName: "Template",
  name: "templateId",
  type: "resourceLocator",
  required: true,
  default: { mode: "list", value: "" },
  displayOptions: makesDocuments,
  description: "The template to create documents from",
  modes: [
    {
      displayName: "From List",
      name: "list",
      type: "list",
      typeOptions: { searchListMethod: "searchTemplates", searchable: true },
    },
    {
      displayName: "By ID",
      name: "id",
      type: "string",
      placeholder: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    },
  ],
};

const data: INodeProperties[] = [
  {
    displayName: "Data From",
    name: "dataMode",
    type: "options",
    options: [
      {
        name: "Fields",
        value: "fields",
        description: "Map a value to each field of the template",
      },
      {
        name: "JSON",
        value: "json",
        description: "Send a JSON object, such as the input item",
      },
    ],
    default: "fields",
    displayOptions: makesDocuments,
  },
  {
    displayName: "Fields",
    name: "fields",
    type: "resourceMapper",
    noDataExpression: true,
    required: true,
    default: { mappingMode: "defineBelow", value: null },
    displayOptions: {
      show: { ...makesDocuments.show, dataMode: ["fields"] },
    },
    typeOptions: {
      loadOptionsDependsOn: ["templateId.value"],
      resourceMapper: {
        resourceMapperMethod: "getTemplateFields",
        mode: "add",
        valuesLabel: "Values",
        fieldWords: { singular: "field", plural: "fields" },
        addAllFields: true,
        supportAutoMap: true,
      },
    },
  },
  {
    displayName: "JSON",
    name: "json",
    type: "json",
    required: true,
    default: "={{ $json }}",
    displayOptions: { show: { ...makesDocuments.show, dataMode: ["json"] } },
    description: "The record that the template is filled with",
  },
];

const formats = [
  { name: "HTML", value: "html" },
  { name: "Image", value: "image" },
  { name: "MJML", value: "mjml", description: "Only for email templates" },
  { name: "PDF", value: "pdf", description: "Not for email templates" },
  {
    name: "XML",
    value: "xml",
    description: "The electronic invoice of a template that has one",
  },
];

const format: INodeProperties[] = [
  {
    displayName: "Format",
    name: "format",
    type: "options",
    options: formats,
    default: "pdf",
    displayOptions: show("document", "render"),
  },
  {
    displayName: "Formats",
    name: "formats",
    type: "multiOptions",
    required: true,
    options: formats,
    default: ["pdf"],
    displayOptions: show("batch", "create"),
  },
];

const ids: INodeProperties[] = [
  {
    displayName: "Document ID",
    name: "documentId",
    type: "string",
    required: true,
    default: "",
    placeholder: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    displayOptions: show("document", "get"),
  },
  {
    displayName: "Batch ID",
    name: "batchId",
    type: "string",
    required: true,
    default: "={{ $json.batchId }}",
    placeholder: "batch_0198a3c5-1d00-7a11-8f00-5b6c7d8e9f00",
    displayOptions: show("batch", "wait"),
  },
  {
    displayName: "Timeout",
    name: "timeout",
    type: "number",
    typeOptions: { minValue: 0, maxValue: 86_400 },
    default: 300,
    displayOptions: show("batch", "wait"),
    description:
      "How many seconds to wait at most. The batch itself is not canceled.",
  },
];

const hasFiles = {
  show: {
    resource: ["document", "batch"],
    operation: ["render", "get", "wait"],
  },
};

const files: INodeProperties[] = [
  {
    displayName: "Download Files",
    name: "download",
    type: "boolean",
    default: true,
    displayOptions: hasFiles,
    description:
      "Whether to put the files into the item as binary data. Otherwise it has only their links, which work until the document expires.",
  },
  {
    displayName: "Put Output File in Field",
    name: "binaryField",
    type: "string",
    required: true,
    default: "data",
    displayOptions: { show: { ...hasFiles.show, download: [true] } },
    hint: "The name of the output binary field to put the file in",
    description:
      "If a document has several files, each is in a field with its format at the end, such as data_pdf and data_html",
  },
];

const find: INodeProperties[] = [
  {
    displayName: "Name",
    name: "name",
    type: "string",
    default: "",
    placeholder: "invoice",
    displayOptions: show("template", "find"),
    description:
      "Part of the template's name, in upper or lower case. Leave empty for all templates.",
  },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    displayOptions: show("template", "find"),
    description: "Whether to return all results or only up to a given limit",
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: {
      show: { ...show("template", "find").show, returnAll: [false] },
    },
    description: "Max number of results to return",
  },
];

const commonOptions: INodeProperties[] = [
  {
    displayName: "Expires At",
    name: "expiresAt",
    type: "dateTime",
    default: "",
    description:
      "When the files are deleted and their links end. By default after 24 hours.",
  },
  {
    displayName: "Image Type",
    name: "imageType",
    type: "options",
    options: [
      { name: "JPG", value: "jpg" },
      { name: "PNG", value: "png" },
    ],
    default: "png",
  },
  {
    displayName: "Strict",
    name: "strict",
    type: "boolean",
    default: false,
    description:
      "Whether a document fails when it would be incomplete, for example because an image is missing",
  },
  {
    displayName: "Template Version",
    name: "templateVersion",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 1,
    description: "A version of the template other than the current one",
  },
  {
    displayName: "Unknown Fields",
    name: "unknownFields",
    type: "options",
    options: [
      { name: "Allow", value: "allow" },
      { name: "Reject", value: "error" },
      { name: "Warn", value: "warn" },
    ],
    default: "allow",
    description: "What happens to fields that the template does not declare",
  },
];

const byName = (one: INodeProperties, other: INodeProperties) =>
  one.displayName < other.displayName ? -1 : 1;

const options: INodeProperties[] = [
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add option",
    default: {},
    displayOptions: show("document", "render"),
    options: [
      ...commonOptions,
      {
        displayName: "Render Options",
        name: "renderOptions",
        type: "json" as const,
        default: '{ "margin": "20mm" }',
        description:
          "What this document changes of the template's page, as renderOptions in Platen's API reference",
      },
      {
        displayName: "Test Mode",
        name: "isTest",
        type: "boolean" as const,
        default: false,
        description:
          "Whether to add a watermark. Such documents do not count toward usage.",
      },
    ].toSorted(byName),
  },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add option",
    default: {},
    displayOptions: show("batch", "create"),
    options: [
      ...commonOptions,
      {
        displayName: "Check Data First",
        name: "validate",
        type: "boolean" as const,
        default: false,
        description:
          "Whether to reject the whole batch if the data of any item does not fit the template",
      },
      {
        displayName: "Metadata",
        name: "metadata",
        type: "json" as const,
        default: "={{ { item: $itemIndex } }}",
        description:
          "A JSON object for each item, which its document and the events about it have",
      },
    ].toSorted(byName),
  },
];

export const properties: INodeProperties[] = [
  ...operations,
  template,
  ...data,
  ...format,
  ...ids,
  ...files,
  ...find,
  ...options,
];
