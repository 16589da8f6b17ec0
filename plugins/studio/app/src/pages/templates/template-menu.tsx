import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { toast } from "../../ui/toast.js";
import { MoveTemplate } from "./move-template.js";

export interface MenuTemplate {
  id: string;
  name: string;
  folderId: string | null;
  isTrashed: boolean;
}

interface TemplateMenuProps {
  template: MenuTemplate;
  onChange: () => unknown;
  /** Where to be after it was put into the trash; default: here. */
  onTrashed?: () => unknown;
}

/** What an editor does with a template as a whole. */
export function TemplateMenu(props: TemplateMenuProps) {
  const { template, onChange, onTrashed = onChange } = props;
  const { id, name, isTrashed } = template;
  const [asked, setAsked] = useState<"rename" | "move" | null>(null);
  const close = () => setAsked(null);
  if (isTrashed) return <Restore template={template} onRestored={onChange} />;
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          ...changing(template, onChange, setAsked),
          trashing(template, onTrashed),
        ]}
      />
      {asked === "rename" && (
        <NameDialog
          title={`Rename ${name}`}
          name={name}
          act="Rename"
          onName={async (to) => {
            await askPublic(`templates/${id}`, "PATCH", { name: to });
            await onChange();
          }}
          onClose={close}
        />
      )}
      {asked === "move" && (
        <MoveTemplate template={template} onMoved={onChange} onClose={close} />
      )}
    </>
  );
}

function changing(
  { id, name }: MenuTemplate,
  onChange: () => unknown,
  ask: (what: "rename" | "move") => void,
): MenuAction[] {
  return [
    {
      words: "Edit",
      icon: "edit",
      onPress: () => go(`templates/${id}/edit`),
    },
    { words: "Rename", icon: "font", onPress: () => ask("rename") },
    {
      words: "Duplicate",
      icon: "copy",
      onPress: async () => {
        const at = `templates/${id}/duplicate`;
        const made = await askPublic<{ name: string }>(at, "POST");
        toast(`${made.name} was made from ${name}.`);
        await onChange();
      },
    },
    { words: "Move to a folder", icon: "move", onPress: () => ask("move") },
  ];
}

function trashing(
  { id, name }: MenuTemplate,
  onTrashed: () => unknown,
): MenuAction {
  return {
    words: "Move to the trash",
    icon: "trash",
    isGrave: true,
    onPress: async () => {
      await askPublic(`templates/${id}`, "DELETE");
      toast(`${name} is in the trash.`);
      await onTrashed();
    },
  };
}

interface RestoreProps {
  template: MenuTemplate;
  onRestored: () => unknown;
}

function Restore({ template, onRestored }: RestoreProps) {
  const { id, name } = template;
  const restore = async () => {
    await askPublic(`templates/${id}/restore`, "POST");
    toast(`${name} is back.`);
    await onRestored();
  };
  return (
    <Button label={`Restore ${name}`} onPress={restore}>
      <Icon name="restore" size={18} />
      Restore
    </Button>
  );
}
