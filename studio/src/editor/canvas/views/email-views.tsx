import type { FunctionComponent } from "preact";
import {
  columnShares,
  formatInset,
  getAlign,
  hasPadding,
  ROW_ATTRIBUTES,
  rowInset,
  toPx,
} from "../../../../../core/definition/page/layout.js";
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
import { getEmailWidth, PHONE_WIDTH } from "../sheet-size.js";
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
  const usual = editor.design.defaults.email;
  const { width = usual.width } = editor.definition.peek().email ?? {};
  const inset = rowInset(component, declared, width, usual.inset);
  const shares = columnShares(components, width);
  const last = components.length - 1;
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
            inset: formatInset(inset, index === 0, index === last),
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
  const { email } = useCanvas().editor.design.defaults;
  const inside: Place = {
    around: "block",
    email: "column",
    inset: hasPadding(declared)
      ? "0"
      : (place.inset ?? formatInset(email.inset, true, true)),
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
  const usual = canvas.editor.design.defaults.email.inset;
  const { inset = formatInset(usual, true, true) } = place;
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

const rowAttributes: Partial<Record<ComponentType, Declarations>> =
  ROW_ATTRIBUTES;

/** The CSS of a row by the attributes of MJML that have other names. */
const ROW_CSS: Declarations = {
  align: "text-align",
  "container-background-color": "background-color",
};

/** The CSS that a row takes from its content. */
function getRowStyle(
  { type }: Component,
  declared: Declarations,
  padding: string,
): Declarations {
  const names = rowAttributes[type] ?? ROW_ATTRIBUTES.text;
  const taken = Object.entries(names).flatMap(([property, attribute]) => {
    const value = declared[property];
    if (value === undefined) return [];
    const isMargin = property.startsWith("margin");
    const css = isMargin ? value.replaceAll("auto", "0") : value;
    return [[ROW_CSS[attribute] ?? attribute, css]];
  });
  const rowDeclarations: Declarations = Object.fromEntries(taken);
  const align = getAlign(declared);
  switch (type) {
    case "spacer":
      return {};
    case "image":
      return {
        padding: "0",
        ...(align && { "text-align": align }),
        ...rowDeclarations,
      };
    case "button":
      return {
        padding,
        ...(align && { "text-align": align }),
        ...rowDeclarations,
      };
    case "social":
      return { padding, "text-align": "center", ...rowDeclarations };
    default:
      return { padding, ...rowDeclarations };
  }
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
