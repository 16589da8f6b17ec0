import type { ContentControls } from "./content-control.js";

/** What is for printed pages alone, or for emails. */
export const pageControls: ContentControls<
  "page-break" | "page-number" | "sign-field" | "social" | "preheader"
> = {
  "page-break": [],
  "page-number": [
    {
      property: "format",
      label: "Words",
      kind: "text",
      hint: "{page} and {pages} stand for the numbers.",
    },
  ],
  "sign-field": [
    {
      property: "field",
      label: "Kind",
      kind: "select",
      options: [
        ["signature", "Signature"],
        ["initials", "Initials"],
        ["date", "Date"],
        ["text", "Text"],
        ["checkbox", "Checkbox"],
        ["select", "Choice"],
        ["number", "Number"],
        ["image", "Picture"],
        ["stamp", "Stamp"],
      ],
    },
    { property: "name", label: "Name", kind: "text", isRequired: true },
    {
      property: "submitter",
      label: "Who",
      kind: "template",
      isRequired: true,
      hint: "The role of the person, such as Client.",
    },
    { property: "required", label: "Must be filled in", kind: "switch" },
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      placeholder: "As usual",
    },
    { property: "options", label: "Choices", kind: "custom" },
  ],
  social: [{ property: "items", label: "Links", kind: "custom" }],
  preheader: [
    { property: "text", label: "Text", kind: "template", isRequired: true },
  ],
};
