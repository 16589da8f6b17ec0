import {
  rootTypes,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { layOutPaper } from "../../definition/page/paper.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { PlatenError } from "../../plugin-api/index.js";
import { DEFAULT_GAP } from "../../definition/page/layout.js";
import {
  compileSource,
  type Render,
  type Source,
  encodeSource,
  SourceBuilder,
  estimateWeight,
} from "../source.js";
import { pageLook, NamedStyles } from "../styles.js";
import { BLOCK_EMITTERS } from "./emit-blocks.js";
import {
  emitBarcode,
  emitChart,
  emitQrcode,
  getRoom,
} from "./emit-drawings.js";
import { emitMarkup } from "./emit-markup.js";
import {
  EmitContext,
  type Emitter,
  type Emitters,
  MARKED_NUMBERS,
  WHOLE_ROOM,
} from "./emit-context.js";

const EMITTERS: Emitters = {
  ...BLOCK_EMITTERS,
  markup: emitMarkup,
  qrcode: emitQrcode,
  barcode: emitBarcode,
  chart: emitChart,
};

/** Emits a component with its condition and collection. */
export function emitComponent(
  component: Component,
  context: EmitContext,
): string {
  return emitWithGuards(component, context, emitOwn, (list, settings, suffix) =>
    settings.children(list, suffix),
  );
}

/** Emits a component without its condition and collection. */
export function emitOwn<T extends ComponentType>(
  component: ComponentOf<T> & { type: T },
  context: EmitContext,
): string {
  const emit: Emitter<T> | undefined = EMITTERS[component.type];
  if (emit)
    return emit(
      component,
      context.within({ room: getRoom(component, context) }),
    );
  throw new PlatenError(
    "invalid_definition",
    `${context.path}: a ${component.type} is not supported here.`,
  );
}

/**
 * Wraps a component in its condition and collection. The callbacks emit the component itself and its branches. The
 * condition is evaluated once, before the collection.
 */
export function emitWithGuards(
  component: Component,
  context: EmitContext,
  emitSelf: (component: Component, context: EmitContext) => string,
  branch: (
    list: readonly Component[],
    context: EmitContext,
    suffix: string,
  ) => string,
): string {
  const { condition, collection } = component;
  const drawn = collection
    ? context.each(
        collection,
        (inside) => emitSelf(component, inside),
        branch(collection.empty ?? [], context, ".collection.empty"),
      )
    : emitSelf(component, context);
  if (!condition) return drawn;
  const otherwise = branch(condition.else ?? [], context, ".condition.else");
  return context.when(condition, drawn, otherwise);
}

interface CompiledList {
  render: Render;
  /** Approximate bytes. */
  weight: number;
  /** With all literal text of what it renders. */
  source: string;
}

/** Emits and compiles a list of components. @param path JSON path of the list @param encode applied to all output */
export function compileComponents(
  list: readonly Component[],
  path: string,
  definition: ProjectData,
  encode?: (text: string) => string,
): CompiledList {
  const emit = (context: EmitContext) => context.children(list, "");
  return compileContent(emit, path, definition, encode);
}

/** Emits and compiles what `emit` returns. @param path JSON path that its parts are relative to */
export function compileContent(
  emit: (context: EmitContext) => string,
  path: string,
  definition: ProjectData,
  encode?: (text: string) => string,
): CompiledList {
  const types = rootTypes(definition.schema);
  const source = emitSource(emit, path, definition, types);
  return {
    render: compileSource(encode ? encodeSource(source, encode) : source),
    weight: estimateWeight(source),
    source: source.text,
  };
}

/**
 * Compiles one component for a scope of an editor's sample, without its condition and collection.
 * @param width in CSS px of what is around it
 */
export function compileOwn(
  component: Component,
  path: string,
  types: ScopeTypes,
  width: number,
): Render {
  const emit = (context: EmitContext) =>
    emitOwn(component, context.within({ width }));
  return compileSource(emitSource(emit, path, {}, types));
}

function emitSource(
  emit: (context: EmitContext) => string,
  path: string,
  { styles, page }: Pick<ProjectData, "styles" | "page">,
  types: ScopeTypes,
): Source {
  const builder = new SourceBuilder();
  const context = new EmitContext({
    builder,
    numbers: MARKED_NUMBERS,
    path,
    look: pageLook(new NamedStyles(styles)),
    types,
    table: null,
    lineEnds: "style",
    drawings: "svg",
    gap: DEFAULT_GAP,
    width: layOutPaper(page).contentPx,
    room: WHOLE_ROOM,
    draw: emitComponent,
  });
  return builder.finish(emit(context));
}
