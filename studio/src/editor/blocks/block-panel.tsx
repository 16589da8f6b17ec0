import "./blocks.css";
import { useState } from "preact/hooks";
import type { ComponentOf } from "../../../../core/plugin-api/definition.js";
import { askPublic, type Schemas } from "../../api.js";
import { t } from "../../messages/index.js";
import { Link } from "../../router.js";
import { Button } from "../../ui/button.js";
import { NameDialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor, Block } from "../model/editor.js";
import type { Entry } from "../model/tree.js";
import {
  addBlock,
  describeBlockObstacle,
  detachBlock,
  findBlock,
  replaceByBlock,
  toBlockComponents,
  toBlockName,
} from "../model/blocks.js";

export async function loadBlocks(): Promise<readonly Block[]> {
  return (await askPublic<{ data: Block[] }>("partials")).data;
}

/** Loads the blocks and the brand into the editor. Without them, it shows the names of blocks only. */
export async function showBlocks(editor: Editor): Promise<void> {
  try {
    editor.blocks.value = await loadBlocks();
    editor.brand.value = (await askPublic<Schemas["Brand"]>("brand")).kit;
  } catch {
    // The editor tries again when its window gets the focus.
  }
}

/** Saves components as a new block and replaces them by it. Rejects with Refusal. */
async function saveAsBlock(
  editor: Editor,
  entries: readonly Entry[],
  title: string,
): Promise<void> {
  const all = await loadBlocks();
  const made = await askPublic<Block>("partials", "POST", {
    name: toBlockName(title, all),
    title,
    templateType: editor.templateType,
    components: toBlockComponents(editor, entries),
  });
  editor.blocks.value = [...all, made];
  replaceByBlock(editor, entries, made.name);
}

interface BlockPanelProps {
  entry: Entry;
  component: ComponentOf<"partial">;
}

export function BlockPanel({ entry, component }: BlockPanelProps) {
  const editor = useEditor();
  const { name } = component;
  if (editor.blocks.value === null) return null;
  const block = findBlock(editor, name);
  if (!block)
    return (
      <Notice tone="bad" title={t("blocks.blockMissing", { name })}>
        <p>{t("blocks.blockMissingHelp")}</p>
      </Notice>
    );
  return (
    <div class="props block-actions">
      <strong>{block.title}</strong>
      <p class="prop-hint">{t("blocks.changesAppearEverywhere")}</p>
      <Link class="button" to={`blocks/${name}/edit`}>
        <Icon name="edit" size={16} />
        {t("blocks.editBlock")}
      </Link>
      {editor.mayEdit && (
        <>
          <Button onPress={() => detachBlock(editor, entry, block)}>
            {t("blocks.detach")}
          </Button>
          <p class="prop-hint">{t("blocks.detachHelp")}</p>
        </>
      )}
    </div>
  );
}

export function SaveBlockButton({ entries }: { entries: readonly Entry[] }) {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const isBlock = entries.some(({ component }) => component.type === "partial");
  if (!editor.mayEdit || editor.blocks.value === null || isBlock) return null;
  const open = () => {
    const obstacle = describeBlockObstacle(entries);
    if (obstacle === null) setOpen(true);
    else toast(obstacle);
  };
  return (
    <>
      <Button kind="quiet" onPress={open}>
        <Icon name="block" size={16} />
        {t("blocks.saveAsBlock")}
      </Button>
      {isOpen && (
        <NameDialog
          title={t("blocks.saveAsBlock")}
          hint={t("blocks.saveAsBlockHelp")}
          act={t("common.save")}
          onName={async (title) => {
            await saveAsBlock(editor, entries, title);
            toast(t("blocks.blockSaved", { title }));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Renders nothing when there are no blocks. */
export function BlockPalette({ query }: { query: string }) {
  const editor = useEditor();
  const blocks = (editor.blocks.value ?? []).filter(
    ({ templateType, title }) =>
      templateType === editor.templateType &&
      title.toLowerCase().includes(query.trim().toLowerCase()),
  );
  if (blocks.length === 0 || editor.isBlock) return null;
  return (
    <div class="palette-group" role="group" aria-label={t("blocks.blocks")}>
      <h2>{t("blocks.blocks")}</h2>
      <ul>
        {blocks.map(({ name, title }) => (
          <li key={name}>
            <button
              type="button"
              class="palette-item"
              title={t("blocks.blockPurpose")}
              data-new-block={name}
              onClick={() => {
                if (!addBlock(editor, name))
                  toast(t("editor.cannotAddHere", { component: title }));
              }}
            >
              <Icon name="block" />
              {title}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
