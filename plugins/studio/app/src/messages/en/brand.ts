export const blocks = {
  title: "Reusable blocks",
  lead: "Parts that several templates share, such as a header or payment details. A change appears in all of them.",
  couldntLoad: "Couldn't load the blocks",
  noBlocksYet: "No reusable blocks yet",
  noBlocksHelp:
    "Open a template, select a header, a footer or any other part, and choose “Save as block”.",
  notUsed: "Not used yet",
  usedBy_one: "Used by {{count, number}} template",
  usedBy_other: "Used by {{count, number}} templates",
  inDraft: "{{name}} (draft)",
  changedDate: "Changed {{date}}",
  actionsFor: "Actions for {{title}}",
  deleted: "“{{title}}” was deleted",
  deleteHelp:
    "This cannot be undone. A block that templates use is not deleted.",
  blocks: "Blocks",
  block: "Block",
  blockPurpose: "A part that several templates share",
  blockMissing: "The block “{{name}}” does not exist",
  blockMissingHelp: "Delete this component, or save a block with this name.",
  blockEmpty: "This block is empty",
  changesAppearEverywhere:
    "Changes to the block appear in all templates that use it.",
  editBlock: "Edit block",
  detach: "Detach",
  detachHelp: "Makes a copy that only this template has.",
  detachTitle: "Detach “{{title}}”",
  saveAsBlock: "Save as block",
  saveAsBlockHelp:
    "All templates can then use it. Changes to the block appear in each of them.",
  blockSaved: "Saved as block “{{title}}”",
  selectWhole:
    "Select the whole table, list or row of columns to save it as a block.",
  selectNeighbors:
    "Select components that are next to each other to save them as one block.",
  noBlockInBlock:
    "A block cannot contain another block. Detach that one first.",
  couldntOpen: "Couldn't open the block",
  backToBlocks: "Back to the blocks",
  unsavedChanges: "Unsaved changes",
  nothingToSave: "There are no changes",
  savedEverywhere_one: "Saved. {{count, number}} template has the change now.",
  savedEverywhere_other:
    "Saved. {{count, number}} templates have the change now.",
} as const;

export const brand = {
  title: "Brand",
  lead: "Your colors, fonts and logo. New templates that start from an example have them, and the editor offers them first.",
  couldntLoad: "Couldn't load the brand",
  primary: "Primary",
  muted: "Secondary text",
  background: "Background",
  colors: "Colors",
  fonts: "Fonts",
  headingFont: "Headings",
  bodyFont: "Text",
  logo: "Logo",
  textStyles: "Text styles",
  textStylesHelp:
    "Named styles, such as a note or a label. New templates that start from an example have them.",
  addTextStyle: "Add text style",
  styleNameHelp: "Letters, digits and hyphens.",
  sizeOf: "Size of {{name}}",
  weightOf: "Weight of {{name}}",
  colorOf: "Color of {{name}}",
  samplePage: "A page in your brand",
  sampleHelp: "A page in your brand, as it prints.",
  sampleHeading: "Your headline",
  sampleText:
    "This is how the text of your documents looks, in your font and your color.",
  sampleNote: "Secondary text, such as a note or a label.",
  whichFollow: "Which templates change too?",
  whichFollowHelp:
    "These templates use the previous colors, fonts, logo or text styles. Those that you choose get the new ones, as a new version.",
  saveAndChange_one: "Save and change {{count, number}} template",
  saveAndChange_other: "Save and change {{count, number}} templates",
  saved_one: "Saved. {{count, number}} template was changed.",
  saved_other: "Saved. {{count, number}} templates were changed.",
  someFailed: "Saved, but these templates could not be changed: {{names}}",
} as const;
