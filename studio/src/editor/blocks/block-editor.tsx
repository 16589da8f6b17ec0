import type {
  DraftAnalysis,
  EditorDesign,
} from "../../../../core/compiler/views.js";
import "../editor.css";
import "../session/session.css";
import { effect, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { clock } from "../../../../core/lib/clock.js";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { ask, askPublic, wordsOf } from "../../api.js";
import { t } from "../../messages/index.js";
import { Link } from "../../router.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { useAction } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Skeleton } from "../../ui/loading.js";
import { Fault, Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { Canvas } from "../canvas/canvas.js";
import { useEditorKeys } from "../commands/keyboard.js";
import { EditorLayer, type EditorSheet, PhoneBar } from "../editor-page.js";
import { Inspector } from "../inspector/inspector.js";
import { EditorProvider } from "../model/editor-context.js";
import { Editor, type Block } from "../model/editor.js";
import { assignMissingIds, componentsOf } from "../model/tree.js";
import { Outline } from "../outline/outline.js";
import { Palette } from "../palette/palette.js";
import { PanelTabs } from "../panel-tabs.js";
import { UndoButtons } from "../session/top-bar.js";

/** A reusable block in the editor. It shows the data and styles of a template that uses it. */
export function BlockEditorPage({ id: name }: { id: string }) {
  const [opened, setOpened] = useState<OpenedBlock | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const open = async () => {
    setFault(null);
    try {
      setOpened(await openBlock(name));
    } catch (error) {
      setFault(wordsOf(error));
    }
  };
  useEffect(() => {
    void open();
  }, [name]);
  if (opened)
    return (
      <EditorProvider value={opened.editor}>
        <BlockFrame {...opened} />
      </EditorProvider>
    );
  return fault === null ? (
    <Skeleton />
  ) : (
    <Fault what={t("blocks.couldntOpen")} why={fault} onRetry={open} />
  );
}

interface OpenedBlock {
  block: Block;
  editor: Editor;
  /** As it is saved. */
  definition: ProjectData;
}

async function openBlock(name: string): Promise<OpenedBlock> {
  const [block, design] = await Promise.all([
    askPublic<Block>(`partials/${name}`),
    ask<EditorDesign>("design"),
  ]);
  const [user] = block.usedBy;
  const around = user
    ? await askPublic<{ definition: ProjectData }>(`templates/${user.id}`).then(
        ({ definition }) => definition,
        () => null,
      )
    : null;
  const toDefinition = (components: readonly Component[]) =>
    assignMissingIds(embed(block, components, around));
  const definition = toDefinition(block.components);
  const mayEdit = may("editor");
  const editor = new Editor(definition, block.templateType, design, mayEdit);
  editor.isBlock = true;
  const unsaved = readUnsaved(block);
  if (unsaved)
    editor.replace(t("blocks.unsavedChanges"), toDefinition(unsaved));
  return { block, editor, definition };
}

/** A template with nothing but the block. One with page numbers is a header, the only place for them. */
function embed(
  { templateType }: Block,
  components: readonly Component[],
  around: ProjectData | null,
): ProjectData {
  const isHeader = JSON.stringify(components).includes('"type":"page-number"');
  const { schema, styles, locale, translations, currency, timeZone, sample } =
    around ?? {};
  return {
    schema: schema ?? [{ id: "root", fields: [] }],
    ...(styles && { styles }),
    ...(locale !== undefined && { locale }),
    ...(translations && { translations }),
    ...(currency !== undefined && { currency }),
    ...(timeZone !== undefined && { timeZone }),
    ...(sample !== undefined && { sample }),
    ...(templateType === "email" && { email: { subject: "" } }),
    components: isHeader ? [] : [...components],
    ...(isHeader && { page: { header: [...components] } }),
  };
}

function getComponents({ page, components }: ProjectData): Component[] {
  return page?.header ? [...componentsOf(page.header)] : components;
}

const checkDelayMs = 400;

function BlockFrame({ editor, ...opened }: OpenedBlock) {
  const [block, setBlock] = useState(opened.block);
  const saved = useSignal(opened.definition);
  const left = useSignal<"add" | "outline">("add");
  const sheet = useSignal<EditorSheet | null>(null);
  const onKeyDown = useEditorKeys(editor);
  const definition = editor.definition.value;
  const isChanged = getComponents(definition) !== getComponents(saved.value);
  useFacts(editor, definition);
  // At once, since the page may be closed after the next key: `useSignalEffect` would wait for the next frame.
  useEffect(
    () =>
      effect(() => {
        const components = getComponents(editor.definition.value);
        if (components !== getComponents(saved.peek()))
          storeUnsaved(block, components);
      }),
    [editor, block],
  );
  const save = useAction(async () => {
    const sent = editor.definition.peek();
    const next = await askPublic<Block>(`partials/${block.name}`, "PATCH", {
      components: getComponents(sent),
      expectedVersion: block.version,
    });
    forgetUnsaved(block.name);
    saved.value = sent;
    setBlock(next);
    toast(t("blocks.savedEverywhere", { count: next.usedBy.length }));
  });
  return (
    // Keys that no field handled are editor shortcuts.
    <div class="editor" onKeyDown={onKeyDown}>
      <header class="editor-bar block-editor-bar">
        <div class="bar-start">
          <Link class="button quiet icon" to="blocks">
            <Icon name="back" size={18} />
            <span class="hidden-text">{t("blocks.backToBlocks")}</span>
          </Link>
          <span class="bar-name">
            <h1 class="template-title">{block.title}</h1>
            <span class="muted small" role="status">
              {isChanged
                ? t("blocks.unsavedChanges")
                : t("blocks.usedBy", { count: block.usedBy.length })}
            </span>
          </span>
        </div>
        <div class="bar-middle">
          <UndoButtons editor={editor} />
        </div>
        <div class="bar-end">
          {editor.mayEdit && (
            <Button
              kind="primary"
              isBusy={save.isBusy}
              reason={isChanged ? null : t("blocks.nothingToSave")}
              onPress={save.run}
            >
              {t("common.save")}
            </Button>
          )}
        </div>
      </header>
      <div class="editor-notices">
        {save.fault && <Notice tone="bad" title={save.fault} />}
      </div>
      <aside
        class={`editor-left ${sheet.value === "parts" ? "open" : ""}`}
        aria-label={t("editor.components")}
      >
        <PanelTabs
          tabs={leftTabs}
          current={left}
          name={t("editor.components")}
        />
        <div class="editor-panel" role="tabpanel" aria-label={left.value}>
          {left.value === "add" ? <Palette /> : <Outline />}
        </div>
      </aside>
      <Canvas />
      <aside
        class={`editor-right ${sheet.value === "properties" ? "open" : ""}`}
        aria-label={t("editor.properties")}
      >
        {editor.selection.value.length > 0 ? (
          <Inspector />
        ) : (
          <p class="palette-note">{t("blocks.changesAppearEverywhere")}</p>
        )}
      </aside>
      <PhoneBar sheet={sheet} withPreview={false} />
      <EditorLayer />
    </div>
  );
}

const leftTabs = [
  ["add", t("editor.addTab"), "palette"],
  ["outline", t("editor.outline"), "outline"],
] as const;

/** Evaluates the block with the sample, shortly after each change. */
function useFacts(editor: Editor, definition: ProjectData): void {
  useEffect(() => {
    let isCurrent = true;
    const { templateType } = editor;
    const check = async () => {
      const body = { templateType, definition };
      const facts = await ask<DraftAnalysis>("drafts/check", "POST", body);
      if (isCurrent) editor.facts.value = facts;
    };
    const timer = clock.after(
      checkDelayMs,
      () => void check().catch(() => undefined),
    );
    return () => {
      isCurrent = false;
      timer.cancel();
    };
  }, [editor, definition]);
}

// What is not saved stays in the browser, as long as the block has not been changed elsewhere.

function unsavedKey(name: string): string {
  return `platen.studio.block.${name}`;
}

function readUnsaved({ name, version }: Block): Component[] | null {
  try {
    const stored: unknown = JSON.parse(
      localStorage.getItem(unsavedKey(name)) ?? "null",
    );
    const { components, version: base } = Object(stored);
    return base === version && Array.isArray(components) ? components : null;
  } catch {
    return null;
  }
}

function storeUnsaved({ name, version }: Block, components: Component[]): void {
  try {
    const text = JSON.stringify({ version, components });
    localStorage.setItem(unsavedKey(name), text);
  } catch {
    // Without storage, nothing is kept.
  }
}

function forgetUnsaved(name: string): void {
  try {
    localStorage.removeItem(unsavedKey(name));
  } catch {
    // Without storage, nothing was kept.
  }
}
