// The types of a template's definition, inferred from the schemas that check it. Nothing of the schemas is loaded.

export type {
  ChartSeries,
  Collection,
  Component,
  ComponentOf,
  ComponentType,
  Condition,
} from "../definition/schema/component-schema.js";
export type {
  Connection,
  DataCollection,
  DefinedSubmitter,
  Field,
  FieldType,
  GroupBy,
  Json,
  Logic,
  Operator,
  Repeat,
  Rule,
  SortRule,
  ValueType,
} from "../definition/schema/data-schema.js";
export type {
  EmailSetup,
  ProjectData,
} from "../definition/schema/definition-schema.js";
export {
  EINVOICE_LEVELS,
  EINVOICE_MODEL,
  EINVOICE_PROFILE_NAMES,
  EINVOICE_PROFILES,
  type EinvoiceLevel,
  type EinvoiceProfile,
  type EinvoiceTerm,
} from "../definition/schema/einvoice-terms.js";
export type {
  EinvoiceMap,
  EinvoiceSetup,
} from "../definition/schema/einvoice-schema.js";
export {
  type Conformance,
  CONFORMANCES,
  SIGN_FIELD_TYPES,
  type SignFieldType,
  STYLE_PROPERTIES,
  type StyleProperty,
} from "../definition/schema/known-values.js";
export type {
  Background,
  Band,
  Margin,
  PageSetup,
  PageSize,
  PdfSetup,
  Watermark,
} from "../definition/schema/output-schema.js";
export type { Align } from "../definition/schema/primitives.js";
export type {
  Inline,
  Mark,
  SimpleMark,
  Style,
  Text,
} from "../definition/schema/text-schema.js";
