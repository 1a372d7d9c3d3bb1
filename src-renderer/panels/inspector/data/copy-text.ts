/** Puts a text onto the clipboard, where the page may. */
export function copyText(text: string): void {
  void navigator.clipboard?.writeText(text).catch(() => undefined)
}
