import { rootTypes } from "../../definition/expressions/index.js";
import { emitComponent } from "../components/emit-component.js";
import { MARKED_NUMBERS, EmitContext } from "../components/emit-context.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { DEFAULT_GAP } from "../column-layout.js";
import { layOutPaper } from "../../definition/page/paper.js";
import { pageLook, NamedStyles } from "../styles.js";
import { compileSource, type Render } from "./compile-source.js";
import {
  encodeSource,
  SourceBuilder,
  estimateWeight,
} from "./source-builder.js";

export interface CompiledList {
  render: Render;
  /** Approximate bytes. */
  weight: number;
}

/** Emits and compiles a list of components. @param path JSON path of the list @param encode applied to all output */
export function compileComponents(
  list: readonly Component[],
  path: string,
  definition: ProjectData,
  encode?: (text: string) => string,
): CompiledList {
  const builder = new SourceBuilder();
  const context = new EmitContext({
    builder,
    numbers: MARKED_NUMBERS,
    path,
    look: pageLook(new NamedStyles(definition.styles)),
    types: rootTypes(definition.schema),
    table: null,
    lineEnds: "style",
    gap: DEFAULT_GAP,
    width: layOutPaper(definition.page).contentPx,
    draw: emitComponent,
  });
  const source = builder.finish(context.children(list, ""));
  return {
    render: compileSource(encode ? encodeSource(source, encode) : source),
    weight: estimateWeight(source),
  };
}
