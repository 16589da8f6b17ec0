import type { Problem } from "../../plugin-api/index.js";
import type { Component } from "../schema/component-schema.js";
import type { ProjectData, TemplateType } from "../schema/definition-schema.js";
import { templateStrings, type TemplateString } from "./check-bindings.js";
import { buildTree, type TreeNode } from "./component-tree.js";

/**
 * A web or email address of the domains that are reserved for examples (RFC 2606), or the postal address that the footer
 * of a new email has in the languages of the studio.
 */
const placeholder =
  /^(?:https?:\/\/(?:[^/?#]*@)?|mailto:[^?]*@)(?:[\w-]+\.)*example(?:\.(?:com|net|org))?(?::\d+)?(?:[/?#,]|$)|\b12345 (?:City|Stadt|Ciudad|Ville)\b/i;

const mjmlAddress = /\s(?:src|background-url|href)\s*=\s*(["'])([^]*?)\1/g;
const emptyMjmlImage = /\s(?:src|background-url)\s*=\s*(["'])\s*\1/;

/** What was never filled in, which keeps an email from being published. @param definition that is valid */
export function findUnfinished(
  definition: ProjectData,
  templateType: TemplateType,
): Problem[] {
  if (templateType !== "email") return [];
  const { all } = buildTree(definition, []);
  return [
    ...findMissingSubject(definition),
    ...all.flatMap(findEmptyImage),
    ...all.flatMap(findPlaceholders),
  ];
}

function findMissingSubject({ email }: ProjectData): Problem[] {
  if (email && email.subject.trim() !== "") return [];
  return [
    {
      path: "$.email.subject",
      code: "missing_subject",
      message: "The email has no subject.",
      hint: "Write it above the email.",
    },
  ];
}

function findEmptyImage({ component, path }: TreeNode): Problem[] {
  const suffix = getEmptyImage(component);
  if (suffix === null) return [];
  return [
    {
      path: path + suffix,
      code: "empty_image",
      message: "The image is empty.",
      hint: "Choose an image, or remove this part.",
    },
  ];
}

function getEmptyImage(component: Component): string | null {
  switch (component.type) {
    case "image":
      return component.src.trim() === "" ? ".src" : null;
    case "hero":
      return component.background.trim() === "" ? ".background" : null;
    case "markup":
      return emptyMjmlImage.test(component.mjml ?? "") ? ".mjml" : null;
    default:
      return null;
  }
}

function findPlaceholders({ component, path }: TreeNode): Problem[] {
  return [...templateStrings(component), ...listMjmlAddresses(component)]
    .filter(({ source }) => placeholder.test(source.trim()))
    .map(({ suffix, source }) => ({
      path: path + suffix,
      code: "placeholder_address",
      message: `${JSON.stringify(source.trim().slice(0, 80))} is a placeholder.`,
      hint: "Write your own address.",
    }));
}

/** Each address of markup once. */
function listMjmlAddresses(component: Component): TemplateString[] {
  if (component.type !== "markup") return [];
  const { mjml = "" } = component;
  const sources = [...mjml.matchAll(mjmlAddress)].map(
    ([, , source = ""]) => source,
  );
  return [...new Set(sources)].map((source) => ({ suffix: ".mjml", source }));
}
