/** Sending a dialog from wherever in it a person writes: `Enter` alone is a new line in an editor. */

/** With any other key held it is somebody else's. */
export const isSendKey = (
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>,
): boolean =>
  event.key === 'Enter' &&
  (event.ctrlKey || event.metaKey) &&
  !(event.altKey || event.shiftKey || event.repeat)

/** What a press on would send the dialog; parts of it may have buttons of their own, before its end. */
export const senderOf = (dialog: Pick<ParentNode, 'querySelector'>): HTMLElement | null =>
  dialog.querySelector<HTMLElement>('button[type="submit"]') ??
  dialog.querySelector<HTMLElement>('footer [data-kind="primary"]')
