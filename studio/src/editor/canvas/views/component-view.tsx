import { useComputed } from "@preact/signals";
import { Component as View, type FunctionComponent, type VNode } from "preact";
import type { SampleRow } from "../../../../../core/compiler/views.js";
import type { Component } from "../../../../../core/plugin-api/definition.js";
import { Icon } from "../../../ui/icon.js";
import { sameJson } from "../../model/same-json.js";
import { lineage, type ListKey, listKey } from "../../model/tree.js";
import {
  getPrinted,
  type SampleScope,
  SampleScopeProvider,
  useSampleScope,
} from "../../scope/sample-scope.js";
import { useCanvas } from "../canvas-state.js";
import { isEmailPart, EmailPart } from "./email-views.js";
import { getView } from "./component-views.js";
import { FullWidthCell, ComponentList } from "./component-list.js";
import {
  getBaseProps,
  isSamePlace,
  type Place,
  type ViewProps,
} from "./element-props.js";
import { t } from "../../../messages/index.js";

/**
 * Renders a component and its alternatives. It renders again only when the component or its place changes, which keeps
 * edits fast in a template with thousands of components.
 */
export class ComponentView extends View<
  ViewProps,
  { fault: Component | null }
> {
  override state = { fault: null as Component | null };

  /** A draft can contain anything: a component that fails to render must not break the others. */
  override componentDidCatch(): void {
    this.setState({ fault: this.props.component });
  }

  override shouldComponentUpdate(
    next: ViewProps,
    { fault }: { fault: Component | null },
  ): boolean {
    const { component, place } = this.props;
    const isSame =
      next.component === component && isSamePlace(next.place, place);
    return !isSame || fault !== this.state.fault;
  }

  override render({ component, place }: ViewProps) {
    if (this.state.fault === component)
      return <ErrorView component={component} place={place} />;
    const Own = isEmailPart(place) ? EmailPart : getView(component.type);
    const element = <Own component={component} place={place} />;
    if (!component.condition && !component.collection) return element;
    const guarded = { component, place, Own };
    if (place.email)
      return (
        <>
          {element}
          <Alternatives component={component} place={place} printed={null} />
        </>
      );
    return <GuardedView {...guarded} content={element} />;
  }
}

/** Draws a component itself, without its condition and collection. */
type OwnView = FunctionComponent<{ component: Component; place: Place }>;

interface GuardedViewProps extends ViewProps {
  Own: OwnView;
  /** The component that is edited, or its only copy in a row or on a page. */
  content: VNode;
}

/**
 * A component with a condition or a collection as it is printed: instead of it its alternatives, or after it what
 * further elements of the list print. In the view of fields it is drawn once.
 */
function GuardedView({
  component,
  place,
  Own,
  content: element,
}: GuardedViewProps) {
  const { editor } = useCanvas();
  const scope = useSampleScope();
  const { id = "", condition, collection } = component;
  const isOpen = useIsSelectedWithin(id);
  const facts = editor.showsValues.value ? getPrinted(scope, editor) : null;
  const isElse = facts?.conditions[id] === false;
  const isEmpty = !isElse && collection && facts?.counts[id] === 0;
  const isPrinted = !isElse && !isEmpty;
  const printed = isElse ? "else" : isEmpty ? "empty" : null;
  if (scope.isCopy) {
    if (!isPrinted)
      return (
        <ComponentList
          components={isElse ? condition?.else : collection?.empty}
          place={place}
          hint={null}
        />
      );
    return (
      <>
        {element}
        {facts && <Rows component={component} {...{ place, Own, facts }} />}
      </>
    );
  }
  return (
    <>
      {isPrinted || isOpen ? (
        element
      ) : (
        <HiddenMark component={component} place={place} />
      )}
      {isPrinted && facts && (
        <Rows component={component} {...{ place, Own, facts }} />
      )}
      <Alternatives component={component} place={place} printed={printed} />
    </>
  );
}

/** Whether a component or one inside it is selected. */
function useIsSelectedWithin(id: string): boolean {
  const { editor } = useCanvas();
  return useComputed(() => {
    const { value: selected } = editor.selected;
    if (selected === null) return false;
    const line = lineage(editor.drawnTree.value, selected);
    return line.some((entry) => entry.id === id);
  }).value;
}

/** Takes no space on the page; a click shows the component. */
function HiddenMark({ component, place }: ViewProps) {
  const canvas = useCanvas();
  // Another cell would move those after it.
  if (place.around === "row") return null;
  const marks = getBaseProps(component, place, canvas);
  return (
    <FullWidthCell place={place}>
      <div {...marks} class="hidden-mark" />
    </FullWidthCell>
  );
}

interface RowsProps extends ViewProps {
  Own: OwnView;
  facts: SampleRow;
}

/** What a collection prints after its first element. */
function Rows({ component, place, Own, facts }: RowsProps) {
  const scope = useSampleScope();
  const { id = "", collection } = component;
  const rows = facts.rows[id];
  if (!collection || !rows) return null;
  const more = (facts.counts[id] ?? 0) - rows.length - 1;
  return (
    <>
      {rows.map((row, index) => (
        <RowView
          key={index}
          component={component}
          place={place}
          Own={Own}
          row={row}
          scope={scope}
        />
      ))}
      {more > 0 && place.around !== "row" && (
        <FullWidthCell place={place}>
          <div class="more-rows">{t("canvas.moreRows", { count: more })}</div>
        </FullWidthCell>
      )}
    </>
  );
}

interface RowViewProps extends ViewProps {
  Own: OwnView;
  row: SampleRow;
  scope: SampleScope;
}

/** What one further element prints. It renders again only when that, the component or its place changes. */
class RowView extends View<RowViewProps> {
  override shouldComponentUpdate(next: RowViewProps): boolean {
    const { component, place, row, scope } = this.props;
    return !(
      next.component === component &&
      isSamePlace(next.place, place) &&
      next.scope.page === scope.page &&
      sameJson(next.row, row)
    );
  }

  override render({ component, place, Own, row, scope }: RowViewProps) {
    return (
      <SampleScopeProvider value={{ ...scope, row, isCopy: true }}>
        <Own component={component} place={place} />
      </SampleScopeProvider>
    );
  }
}

interface AlternativesProps extends ViewProps {
  /** The alternative that the sample prints. */
  printed: "else" | "empty" | null;
}

/** The alternatives of a component's condition and collection, collapsed below it. */
function Alternatives({ component, place, printed }: AlternativesProps) {
  const { id = "", condition, collection } = component;
  return (
    <>
      {condition?.else && (
        <Alternative
          list={listKey(id, "else")}
          components={condition.else}
          words={t("canvas.otherwise")}
          place={place}
          isPrinted={printed === "else"}
        />
      )}
      {collection?.empty && (
        <Alternative
          list={listKey(id, "empty")}
          components={collection.empty}
          words={t("canvas.ifListIsEmpty")}
          place={place}
          isPrinted={printed === "empty"}
        />
      )}
    </>
  );
}

interface AlternativeProps {
  list: ListKey;
  components: readonly Component[];
  words: string;
  place: Place;
  isPrinted: boolean;
}

function Alternative({
  list,
  components,
  words,
  place,
  isPrinted,
}: AlternativeProps) {
  const canvas = useCanvas();
  const isOpen = isPrinted || canvas.opened.value.has(list);
  const count = t("canvas.components", { count: components.length });
  const bar = (
    <button
      type="button"
      class="stand-in-bar"
      aria-expanded={isOpen}
      disabled={isPrinted}
      onClick={() => canvas.toggle(list)}
    >
      <Icon name={isOpen ? "down" : "next"} size={12} />
      {words}
      <span class="muted">{count}</span>
    </button>
  );
  return (
    <div
      class={`stand-in in-${place.around}${isPrinted ? "" : " aside"}`}
      data-list={list}
    >
      <FullWidthCell place={place}>{bar}</FullWidthCell>
      {isOpen && <ComponentList components={components} place={place} />}
    </div>
  );
}

/** Replaces a component that failed to render. */
function ErrorView({ component, place }: ViewProps) {
  return (
    <FullWidthCell place={place}>
      <div class="away" data-id={component.id} tabIndex={-1}>
        {t("canvas.componentBroken")}
      </div>
    </FullWidthCell>
  );
}
