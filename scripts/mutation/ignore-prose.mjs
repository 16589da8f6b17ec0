// Has Stryker leave out the descriptions and examples of schemas, which people read in the reference and no program does.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

const isProse = (node) =>
  node.type === "ObjectProperty" &&
  ["description", "example"].includes(node.key.name) &&
  node.value.type === "StringLiteral";

function shouldIgnore({ node }) {
  const isAllProse =
    node.type === "ObjectExpression" &&
    node.properties.length > 0 &&
    node.properties.every(isProse);
  return isProse(node) || isAllProse ? "prose" : undefined;
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "prose", { shouldIgnore }),
];
