// Has Stryker leave out what no program reads: descriptions and examples of schemas, and the names of tokens.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

const isProse = (node) =>
  node.type === "ObjectProperty" &&
  ["description", "example"].includes(node.key.name) &&
  node.value.type === "StringLiteral";

/** `createToken("a name")`. */
const isToken = (node) =>
  node.type === "CallExpression" && node.callee.name === "createToken";

function shouldIgnore({ node }) {
  const isAllProse =
    node.type === "ObjectExpression" &&
    node.properties.length > 0 &&
    node.properties.every(isProse);
  return isProse(node) || isAllProse || isToken(node) ? "prose" : undefined;
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "prose", { shouldIgnore }),
];
