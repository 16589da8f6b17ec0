/** The sidebar of the documentation site: each section with its pages in reading order. */
export const navigation = [
  {
    title: "Tutorials",
    label: "Tutorial",
    pages: [
      "tutorials/first-document",
      "tutorials/first-template",
      "tutorials/first-template-in-the-studio",
      "tutorials/table-to-button",
      "tutorials/first-plugin",
    ],
  },
  {
    title: "Documents",
    label: "How-to",
    pages: [
      "how-to/render-documents",
      "how-to/send-batches",
      "how-to/generate-from-records",
      "how-to/sign-documents",
      "how-to/receive-webhooks",
      "how-to/generate-a-client",
    ],
  },
  {
    title: "Templates",
    label: "How-to",
    pages: [
      "how-to/use-the-studio",
      "how-to/design-templates",
      "how-to/use-assets",
      "how-to/connect-an-assistant",
    ],
  },
  {
    title: "Tables and databases",
    label: "How-to",
    pages: [
      "how-to/create-a-document-button",
      "how-to/connect-airtable",
      "how-to/connect-google-sheets",
      "how-to/connect-nocodb",
      "how-to/connect-sql",
    ],
  },
  {
    title: "Administration",
    label: "How-to",
    pages: [
      "how-to/deploy",
      "how-to/back-up-and-upgrade",
      "how-to/monitor",
      "how-to/manage-people",
      "how-to/manage-connections",
      "how-to/write-a-plugin",
    ],
  },
  {
    title: "Reference",
    label: "Reference",
    pages: [
      "reference/rest",
      "reference/webhooks",
      "reference/definition",
      "reference/records",
      "reference/images",
      "reference/assets",
      "reference/fonts",
      "reference/tool-server",
      "reference/plugins",
      "reference/cli",
      "reference/configuration",
      "reference/metrics",
    ],
  },
  {
    title: "Explanation",
    label: "Explanation",
    pages: [
      "explanation/architecture",
      "explanation/rendering",
      "explanation/delivery",
      "explanation/security",
      "explanation/performance",
    ],
  },
  {
    title: "Help",
    label: "Help",
    pages: ["troubleshooting", "contributing", "changelog"],
  },
];
