import type {
  Component,
  ComponentOf,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import type { IconName } from "../../ui/icon-paths.js";
import { createCopies } from "../model/edits.js";
import type { Editor } from "../model/editor.js";

export interface EmailSection {
  words: string;
  icon: IconName;
  make: (editor: Editor) => Component;
}

const MUTED = "#667080";
const GROUND = "#f5f6f8";

const text = (words: string, style?: object): Component => ({
  type: "text",
  text: words,
  ...(style && { style }),
});
const heading = (words: string, level = 2, style?: object): Component => ({
  type: "heading",
  text: words,
  level: level === 1 ? 1 : level === 2 ? 2 : 3,
  ...(style && { style }),
});
/** With the padding that other contents of a column have by default. */
const image = (width?: string): Component => ({
  type: "image",
  src: "",
  alt: "",
  style: { padding: "0 24px 12px" },
  ...(width && { width }),
});
const button = (words: string, style?: object): Component => ({
  type: "button",
  text: words,
  href: "https://example.com",
  ...(style && { style }),
});
const column = (
  components: Component[],
  width?: string,
): ComponentOf<"column"> => ({
  type: "column",
  components: [
    { type: "spacer", height: "28px" },
    ...components,
    { type: "spacer", height: "12px" },
  ],
  ...(width && { width }),
});
const section = (
  columns: ComponentOf<"column">[],
  more: Partial<ComponentOf<"section">> = {},
): Component => ({ type: "section", components: columns, ...more });

const centered = { "text-align": "center" };
const middle = { margin: "8px auto 12px" };

/** Sections in the order of an email, from its header to its footer. */
export const SECTIONS: Readonly<Record<string, EmailSection>> = {
  header: {
    words: t("emailSections.header"),
    icon: "image",
    make: () =>
      section([
        column([image("140px")], "50%"),
        column(
          [
            text(t("emailSections.sender"), {
              "text-align": "right",
              color: MUTED,
              "font-size": "13px",
            }),
          ],
          "50%",
        ),
      ]),
  },
  hero: {
    words: t("emailSections.opening"),
    icon: "hero",
    make: () =>
      section(
        [
          column([
            heading(t("emailSections.openingTitle"), 1, centered),
            text(t("emailSections.openingText"), {
              ...centered,
              color: MUTED,
            }),
            button(t("emailSections.openingButton"), middle),
          ]),
        ],
        { background: GROUND },
      ),
  },
  picture: {
    words: t("emailSections.textWithPicture"),
    icon: "columns",
    make: () =>
      section([
        column([image()], "45%"),
        column(
          [
            heading(t("emailSections.pictureTitle"), 3),
            text(t("emailSections.pictureText")),
          ],
          "55%",
        ),
      ]),
  },
  two: {
    words: t("emailSections.twoColumns"),
    icon: "columns",
    make: () => makeFeatures(2),
  },
  three: {
    words: t("emailSections.threeColumns"),
    icon: "columns",
    make: () => makeFeatures(3),
  },
  products: {
    words: t("emailSections.products"),
    icon: "row",
    make: (editor) => makeProducts(findList(editor)),
  },
  action: {
    words: t("emailSections.callToAction"),
    icon: "button",
    make: () =>
      section(
        [
          column([
            heading(t("emailSections.actionTitle"), 2, {
              ...centered,
              color: "#ffffff",
            }),
            button(t("emailSections.actionButton"), {
              ...middle,
              "background-color": "#ffffff",
              color: "#1d4ed8",
            }),
          ]),
        ],
        { background: "#1d4ed8" },
      ),
  },
  quote: {
    words: t("emailSections.quote"),
    icon: "text",
    make: () =>
      section([
        column([
          text(t("emailSections.quoteText"), {
            "font-size": "19px",
            "font-style": "italic",
            ...centered,
          }),
          text(t("emailSections.quoteName"), {
            ...centered,
            color: MUTED,
            "font-size": "13px",
          }),
        ]),
      ]),
  },
  order: {
    words: t("emailSections.orderSummary"),
    icon: "table",
    make: (editor) => makeOrder(findList(editor)),
  },
  social: {
    words: t("emailSections.socialBar"),
    icon: "social",
    make: () =>
      section([
        column([
          {
            type: "social",
            items: ["linkedin", "instagram", "youtube", "website"].map(
              (network) => ({ network, href: "https://example.com" }),
            ),
          },
        ]),
      ]),
  },
  footer: {
    words: t("emailSections.footer"),
    icon: "section",
    make: () => {
      const style = { ...centered, color: MUTED, "font-size": "12px" };
      return section(
        [
          column([
            text(t("emailSections.address"), style),
            {
              type: "text",
              style,
              text: [
                t("emailSections.whyYouGetThis"),
                " ",
                {
                  text: t("emailSections.unsubscribe"),
                  marks: [{ link: "https://example.com/unsubscribe" }],
                },
              ],
            },
          ]),
        ],
        { background: GROUND },
      );
    },
  },
};

function makeFeatures(count: 2 | 3): Component {
  const titles = [
    t("emailSections.first"),
    t("emailSections.second"),
    t("emailSections.third"),
  ].slice(0, count);
  return section(
    titles.map((title) =>
      column([
        image("56px"),
        heading(title, 3),
        text(t("emailSections.featureText"), { color: MUTED }),
      ]),
    ),
  );
}

/** The first list of the record, and the fields of its items that a section can print. */
interface ItemList {
  path: string;
  name: string | undefined;
  amount: string | undefined;
}

const isPlain = ({ name }: { name: string }) => /^[a-z_]\w*$/i.test(name);

/** Null when the data has no list. Names that an expression would have to quote are left out. */
function findList(editor: Editor): ItemList | null {
  const { schema } = editor.definition.peek();
  for (const field of schema[0]?.fields ?? []) {
    if (field.type !== "OneToManyLink" || !isPlain(field)) continue;
    const items = schema.find(({ id }) => id === field.target);
    const fields = (items?.fields ?? []).filter(isPlain);
    return {
      path: `root.${field.name}`,
      name: fields.find(({ type }) => type === "String")?.name,
      amount: fields.findLast(({ type }) => type === "Number")?.name,
    };
  }
  return null;
}

/** The field of an item, or other words without one. */
function printField(
  variable: string,
  name: string | undefined,
  otherwise: string,
): string {
  return name === undefined ? otherwise : `{{ ${variable}.${name} }}`;
}

const orderRow = (
  words: string,
  amount: string,
  style?: object,
): ComponentOf<"table-row"> => ({
  type: "table-row",
  components: [
    { type: "table-cell", text: words, ...(style && { style }) },
    {
      type: "table-cell",
      text: amount,
      align: "right",
      ...(style && { style }),
    },
  ],
});

function makeProducts(list: ItemList | null): Component {
  return section(
    [
      column([image()], "30%"),
      column(
        [
          heading(
            printField("product", list?.name, t("emailSections.product")),
            3,
          ),
          text(
            printField("product", list?.amount, t("emailSections.productText")),
            {
              color: MUTED,
            },
          ),
        ],
        "70%",
      ),
    ],
    {
      ...(list && {
        collection: { collectionId: "product", path: list.path },
      }),
    },
  );
}

function makeOrder(list: ItemList | null): Component {
  const line = orderRow(
    printField("line", list?.name, t("emailSections.product")),
    printField("line", list?.amount, "0.00"),
  );
  const total =
    list?.amount === undefined
      ? "0.00"
      : `{{ SUM(${list.path}, ${list.amount}) }}`;
  return section([
    column([
      heading(t("emailSections.yourOrder"), 3),
      {
        type: "table",
        components: [
          {
            ...line,
            ...(list && {
              collection: { collectionId: "line", path: list.path },
            }),
          },
          orderRow(t("emailSections.total"), total, {
            "font-weight": "700",
            "border-bottom": "0",
          }),
        ],
      },
    ]),
  ]);
}

/** The maker of a section by its key, for what is dragged from the palette. */
export function getSectionMaker(
  editor: Editor,
  key: string,
): (() => Component) | null {
  const emailSection = SECTIONS[key];
  return emailSection ? () => makeSection(editor, emailSection) : null;
}

/** A new section, with names of collections that are unused in the template. */
export function makeSection(
  editor: Editor,
  emailSection: EmailSection,
): Component {
  const made = emailSection.make(editor);
  return createCopies(editor, [made])[0] ?? made;
}
