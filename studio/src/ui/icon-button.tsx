import { Button, type DrawDialog } from "./button.js";
import { Icon, type IconName } from "./icon.js";

interface IconButtonProps {
  icon: IconName;
  label: string;
  type?: "submit";
  onPress?: () => unknown;
}

export function IconButton({ icon, ...props }: IconButtonProps) {
  return (
    <Button kind="quiet" isIcon {...props}>
      <Icon name={icon} size={14} />
    </Button>
  );
}

interface AddButtonProps {
  words: string;
  /** Accessible name, if the words do not suffice. */
  label?: string;
  onPress?: () => unknown;
  dialog?: DrawDialog;
}

export function AddButton({ words, ...props }: AddButtonProps) {
  return (
    <Button kind="quiet" {...props}>
      <Icon name="plus" size={14} />
      {words}
    </Button>
  );
}
