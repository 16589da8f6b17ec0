import type * as contract from "../../plugin-api/index.js";
import type {
  Collection,
  Component,
  ComponentType,
  Condition,
} from "./component-schema.js";
import type * as data from "./data-schema.js";
import type * as page from "./output-schema.js";
import type { PdfSetup } from "./output-schema.js";
import type { EmailSetup, ProjectData } from "./definition-schema.js";
import type { Style, Inline, Mark, Text } from "./text-schema.js";

// Proves that the definition types of the plugin API equal those that the schemas infer: this file does not compile
// otherwise. Each type is listed so that the error names the one that differs.

/** Whether two types are identical to the compiler, including optional properties. */
type Same<A, B> =
  (<T>(any: T) => T extends A ? 1 : 2) extends <T>(
    any: T,
  ) => T extends B ? 1 : 2
    ? true
    : false;

/** Flattens an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type Holds<Claims extends Record<string, true>> = Claims;

export type DefinitionProof = Holds<{
  Collection: Same<Collection, contract.Collection>;
  Component: Same<Component, contract.Component>;
  ComponentType: Same<ComponentType, contract.ComponentType>;
  Condition: Same<Condition, contract.Condition>;
  Connection: Same<data.Connection, contract.Connection>;
  DataCollection: Same<data.DataCollection, contract.DataCollection>;
  Field: Same<data.Field, contract.Field>;
  GroupBy: Same<data.GroupBy, contract.GroupBy>;
  Logic: Same<data.Logic, contract.Logic>;
  Operator: Same<data.Operator, contract.Operator>;
  Repeat: Same<data.Repeat, contract.Repeat>;
  Rule: Same<data.Rule, contract.Rule>;
  SortRule: Same<data.SortRule, contract.SortRule>;
  ValueType: Same<data.ValueType, contract.ValueType>;
  Background: Same<page.Background, contract.Background>;
  Band: Same<page.Band, contract.Band>;
  Margin: Same<page.Margin, contract.Margin>;
  PageSetup: Same<page.PageSetup, contract.PageSetup>;
  PageSize: Same<page.PageSize, contract.PageSize>;
  Watermark: Same<page.Watermark, contract.Watermark>;
  EmailSetup: Same<EmailSetup, contract.EmailSetup>;
  PdfSetup: Same<PdfSetup, contract.PdfSetup>;
  ProjectData: Same<Flat<ProjectData>, Flat<contract.ProjectData>>;
  Style: Same<Style, contract.Style>;
  Inline: Same<Inline, contract.Inline>;
  Mark: Same<Mark, contract.Mark>;
  Text: Same<Text, contract.Text>;
}>;
