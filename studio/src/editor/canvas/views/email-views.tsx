import type { FunctionComponent } from "preact";
import type { DesignDefaults } from "../../../../../core/compiler/views.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../../../../core/plugin-api/definition.js";
import { t } from "../../../messages/index.js";
import { listKey } from "../../model/tree.js";
import { TextView } from "../../text/text-view.js";
import { editedScope } from "../../scope/sample-scope.js";
import { useCanvas, usePictureAddress } from "../canvas-state.js";
import { toCssUrl } from "../print-styles.js";
import { getEmailWidth, PHONE_WIDTH, toPx } from "../sheet-size.js";
import { BlockView } from "./block-view.js";
import {
  FragmentNote,
  useDraw,
  ComponentList,
  EmptyPage,
} from "./component-list.js";
import { toPlainText } from "./component-text.js";
import { getView } from "./component-views.js";
import {
  getBaseProps,
  getDeclarations,
  type Declarations,
  resolveStyle,
  resolveTemplate,
  type Place,
  isRowProperty,
  type ViewProps,
} from "./element-props.js";

const inBody: Place = { around: "block", email: "body" };

export function EmailSheet() {
  const { editor, isPhone } = useCanvas();
  const { email, components } = editor.drawn.value;
  const usual = editor.design.defaults.email;
  return (
    <div
      class={isPhone.value ? "sheet mail on-phone" : "sheet mail"}
      style={{
        width: `${getEmailWidth(email?.width, isPhone.value, usual)}px`,
        backgroundColor: email?.background ?? "#ffffff",
      }}
    >
      <div
        class="mail-body"
        data-list="body"
        style={{
          maxWidth: `${isPhone.value ? PHONE_WIDTH : (email?.width ?? usual.width)}px`,
        }}
      >
        {components.length === 0 ? (
          <EmptyPage words={t("canvas.thisEmailIsEmpty")} />
        ) : (
          <EmailBody components={components} place={inBody} />
        )}
      </div>
    </div>
  );
}

/** The subject and preheader, as an inbox shows them. */
export function EmailLines() {
  const { editor } = useCanvas();
  const { email } = editor.drawn.value;
  return (
    <div class="mail-lines">
      <strong>
        {email?.subject ? (
          <TextView text={email.subject} owner={null} />
        ) : (
          t("canvas.noSubjectYet")
        )}
      </strong>
      {email?.preheader && (
        <span>
          <TextView text={email.preheader} owner={null} />
        </span>
      )}
    </div>
  );
}

/** Whether a component at this place is rendered by the views for emails. */
export function isEmailPart({ email }: Place): boolean {
  return email === "body" || email === "row" || email === "column";
}

export const EmailPart: FunctionComponent<ViewProps> = ({
  component,
  place,
}) => {
  switch (component.type) {
    case "fragment":
      return <EmailFragment component={component} place={place} />;
    case "partial":
      return (
        <BlockView
          component={component}
          place={place}
          draw={(components) => (
            <EmailBody components={components} place={place} />
          )}
        />
      );
    case "section":
    case "columns":
      return place.email === "body" ? (
        <EmailSection component={component} place={place} />
      ) : (
        <EmailRow component={component} place={place} />
      );
    case "hero":
      return <EmailHero component={component} place={place} />;
    case "container":
      return place.email === "body" ? (
        <EmailContainer component={component} place={place} />
      ) : (
        <EmailRow component={component} place={place} />
      );
    case "column":
      return <EmailColumn component={component} place={place} />;
    case "preheader":
      return <EmailPreheader component={component} place={place} />;
    default:
      return <EmailRow component={component} place={place} />;
  }
};

/** Has no box: its children are laid out in its place. */
function EmailFragment({ component, place }: ViewProps<"fragment">) {
  const elementProps = getBaseProps(component, place, useCanvas());
  return (
    <div
      {...elementProps}
      class="fragment"
      data-list={listKey(component.id ?? "", "components")}
    >
      <FragmentNote elementProps={elementProps} place={place} />
      <EmailBody components={component.components} place={place} />
    </div>
  );
}

/** The props of a block's element, and its declared CSS. */
function useBlock(component: Component, place: Place, base: Declarations) {
  const canvas = useCanvas();
  const declared = getDeclarations(component, canvas);
  const style = resolveStyle(
    { ...base, ...declared },
    component,
    canvas,
    editedScope,
  );
  return {
    declared,
    elementProps: { ...getBaseProps(component, place, canvas), style },
  };
}

/** A row of columns in the full width of the email. */
function EmailSection({ component, place }: ViewProps<"section" | "columns">) {
  const Draw = useDraw();
  const { editor } = useCanvas();
  const { id = "", type, components } = component;
  const background = type === "section" ? component.background : undefined;
  const { declared, elementProps } = useBlock(
    component,
    place,
    background === undefined ? {} : { "background-color": background },
  );
  const { defaults } = editor.design;
  const insets = getInsets(component, declared, defaults);
  const { width = defaults.email.width } = editor.definition.peek().email ?? {};
  const shares = getShares(components, width);
  return (
    <div
      {...elementProps}
      class="mail-section"
      data-list={listKey(id, "components")}
    >
      {components.length === 0 && (
        <div class="empty-list">{t("canvas.emptyAddColumn")}</div>
      )}
      {components.map((column, index) => (
        <Draw
          key={column.id}
          component={column}
          place={{
            around: "columns",
            email: "row",
            inset: insets[index] ?? "0",
            share: shares[index] ?? 100,
          }}
        />
      ))}
    </div>
  );
}

/** A frame around sections, or a section itself. */
function EmailContainer({ component, place }: ViewProps<"container">) {
  const { id = "", components } = component;
  const { sectionPadding } = useCanvas().editor.design.defaults.email;
  const holdsBlocks = components.some(isBlock);
  const { elementProps } = useBlock(
    component,
    place,
    holdsBlocks ? {} : { padding: sectionPadding },
  );
  return (
    <div {...elementProps} data-list={listKey(id, "components")}>
      {holdsBlocks ? (
        <EmailBody components={components} place={place} />
      ) : (
        <ComponentList components={components} place={IN_COLUMN} />
      )}
    </div>
  );
}

/** The place of content in a row of one column. */
const IN_COLUMN: Place = { around: "block", email: "column" };

function EmailHero({ component, place }: ViewProps<"hero">) {
  const { id = "", background, components } = component;
  const { editor } = useCanvas();
  const address = usePictureAddress(
    resolveTemplate(background, id, editor.facts.value) ?? "",
  );
  const { heroPadding, heroShare, ...usual } = editor.design.defaults.email;
  const { width = usual.width } = editor.definition.peek().email ?? {};
  const { elementProps } = useBlock(component, place, {
    padding: heroPadding,
    "min-height": `${Math.round(width * heroShare)}px`,
    ...(address !== null && { "background-image": toCssUrl(address) }),
  });
  return (
    <div
      {...elementProps}
      class={address === null ? "mail-hero without-picture" : "mail-hero"}
      data-list={listKey(id, "components")}
    >
      <ComponentList components={components} place={IN_COLUMN} />
    </div>
  );
}

/** Shown only in the inbox; here it is a line, so that it can be selected. */
function EmailPreheader({ component, place }: ViewProps<"preheader">) {
  const elementProps = getBaseProps(component, place, useCanvas());
  const text = toPlainText(component.text);
  return (
    <div {...elementProps} class="mail-preheader">
      {text ? t("canvas.previewText", { text }) : t("canvas.noPreviewText")}
    </div>
  );
}

interface EmailBodyProps {
  components: readonly Component[];
  place: Place;
}

/** A sequence of sections. Components between them are grouped into sections, as in the email. */
function EmailBody({ components, place }: EmailBodyProps) {
  const { sectionPadding } = useCanvas().editor.design.defaults.email;
  if (place.email !== "body" || components.length === 0)
    return <ComponentList components={components} place={place} />;
  return (
    <>
      {splitRuns(components).map((run) =>
        run.isLoose ? (
          <div style={{ padding: sectionPadding }} key={run.components[0]?.id}>
            <ComponentList components={run.components} place={place} />
          </div>
        ) : (
          <ComponentList
            key={run.components[0]?.id}
            components={run.components}
            place={place}
          />
        ),
      )}
    </>
  );
}

interface Run {
  isLoose: boolean;
  components: Component[];
}

function splitRuns(components: readonly Component[]): Run[] {
  const runs: Run[] = [];
  for (const component of components) {
    const isLoose = !isBlock(component) && component.type !== "preheader";
    const last = runs.at(-1);
    if (last?.isLoose === isLoose) last.components.push(component);
    else runs.push({ isLoose, components: [component] });
  }
  return runs;
}

/** Whether a component is a section itself; a group is one if any of its children is. */
function isBlock(component: Component): boolean {
  switch (component.type) {
    case "section":
    case "hero":
    case "columns":
    case "container":
    case "partial":
      return true;
    case "fragment":
      return component.components.some(isBlock);
    default:
      return false;
  }
}

/** Takes its share of the row, or the full width on a phone. */
function EmailColumn({ component, place }: ViewProps<"column">) {
  const { id = "", components } = component;
  const { declared, elementProps } = useBlock(component, place, {
    width: `${place.share ?? 100}%`,
  });
  const { defaults } = useCanvas().editor.design;
  const inside: Place = {
    around: "block",
    email: "column",
    inset: hasPadding(declared)
      ? "0"
      : (place.inset ?? getDefaultInset(defaults)),
  };
  return (
    <div
      {...elementProps}
      class="mail-column"
      data-list={listKey(id, "components")}
    >
      <ComponentList components={components} place={inside} />
    </div>
  );
}

const IN_ROW: Place = { around: "block", email: "inner" };

/** Content of an email, in a row of its own with padding. */
function EmailRow({ component, place }: ViewProps) {
  const canvas = useCanvas();
  const declared = getDeclarations(component, canvas);
  const { inset = getDefaultInset(canvas.editor.design.defaults) } = place;
  const around = getRowStyle(component, declared, inset);
  const style = resolveStyle(around, component, canvas, editedScope);
  const Own = getView(component.type);
  return (
    <div
      {...getBaseProps(component, place, canvas)}
      class="mail-row"
      style={style}
    >
      {component.type === "social" ? (
        <SocialLinks component={component} />
      ) : (
        <Own component={component} place={IN_ROW} />
      )}
    </div>
  );
}

/** The CSS that a row takes from its content. */
function getRowStyle(
  { type }: Component,
  declared: Declarations,
  padding: string,
): Declarations {
  const margins = marginsAsPadding(declared);
  switch (type) {
    case "image":
      return {
        padding: "0",
        ...margins,
        ...getPaddings(declared),
        ...getAlignment(declared),
      };
    case "divider":
      return { padding, ...margins, ...getPaddings(declared) };
    case "button":
      return { padding, ...margins, ...getAlignment(declared) };
    case "spacer":
      return {};
    case "social":
      return { padding, "text-align": "center", ...declared };
    default:
      return { padding, ...getRowProperties(type, declared) };
  }
}

function getRowProperties(
  type: ComponentType,
  declared: Declarations,
): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    isRowProperty(type, name),
  );
  return Object.fromEntries(entries);
}

function getPaddings(declared: Declarations): Declarations {
  const entries = Object.entries(declared).filter(([name]) =>
    name.startsWith("padding"),
  );
  return Object.fromEntries(entries);
}

/** MJML renders the margins of its own elements as padding of the row. */
function marginsAsPadding(declared: Declarations): Declarations {
  const { margin } = declared;
  return {
    ...(margin !== undefined && {
      padding: margin.replaceAll("auto", "0"),
    }),
    ...(declared["margin-top"] && { "padding-top": declared["margin-top"] }),
    ...(declared["margin-bottom"] && {
      "padding-bottom": declared["margin-bottom"],
    }),
  };
}

function getAlignment(declared: Declarations): Declarations {
  const [top = "", right = top, , left = right] =
    declared["margin"]?.split(" ") ?? [];
  const start = declared["margin-left"] ?? left;
  const end = declared["margin-right"] ?? right;
  if (start === "auto")
    return { "text-align": end === "auto" ? "center" : "right" };
  const align = declared["text-align"];
  return align === undefined ? {} : { "text-align": align };
}

/** Icons in circles, as in the email. */
function SocialLinks({ component }: { component: ComponentOf<"social"> }) {
  const canvas = useCanvas();
  const { networks, networkAliases, linkPath, iconSize, iconColor } =
    canvas.editor.design.defaults.email;
  const { color } = getDeclarations(component, canvas);
  const size = toPx(component.size ?? iconSize) ?? toPx(iconSize) ?? 0;
  return (
    <>
      {component.items.map(({ network }, index) => {
        const key = network.toLowerCase();
        const { name, path } = networks[networkAliases[key] ?? key] ?? {
          name: network,
          path: linkPath,
        };
        return (
          <svg
            key={index}
            class="social-link"
            viewBox="0 0 48 48"
            width={Math.round(size)}
            height={Math.round(size)}
            role="img"
            aria-label={name}
          >
            <circle cx="24" cy="24" r="24" fill={color ?? iconColor} />
            <path fill="#fff" d={path} transform="translate(12 12)" />
          </svg>
        );
      })}
    </>
  );
}

/** The default padding of content in a row of one column. */
function getDefaultInset({ email }: DesignDefaults): string {
  const { sides, bottom } = email.inset;
  return `0 ${sides}px ${bottom}px`;
}

/** The padding of the content of each column in a row, as in the email. */
function getInsets(
  row: Extract<Component, { type: "section" | "columns" }>,
  style: Declarations,
  { email, columnGap }: DesignDefaults,
): string[] {
  const { sides, bottom } = email.inset;
  const [edge, below] = hasPadding(style) ? [0, 0] : [sides, bottom];
  const gapOf = (gap: string | undefined) =>
    Math.round(toPx(gap) ?? toPx(columnGap) ?? 0);
  const between = row.type === "columns" ? gapOf(row.gap) / 2 : edge;
  const last = row.components.length - 1;
  return row.components.map((_column, index) => {
    const left = index === 0 ? edge : between;
    const right = index === last ? edge : between;
    return `0 ${right}px ${below}px ${left}px`;
  });
}

function hasPadding(style: Declarations): boolean {
  return Object.keys(style).some((property) => property.startsWith("padding"));
}

/** The width of each column in percent. Columns without a width share the rest equally. */
function getShares(columns: readonly Component[], width: number): number[] {
  const given = columns.map((column) =>
    column.type === "column" ? parseShare(column.width, width) : null,
  );
  const taken = given.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const open = given.filter((share) => share === null).length;
  return given.map((share) => share ?? (100 - taken) / Math.max(1, open));
}

function parseShare(width: string | undefined, of: number): number | null {
  const percent = /^([\d.]+)%$/.exec(width ?? "")?.[1];
  if (percent !== undefined) return Number(percent);
  const px = toPx(width);
  return px === null ? null : (px / of) * 100;
}
