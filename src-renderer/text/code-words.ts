/** What the code view, export and import say. */

export const codeWords = {
  title: 'Code',
  copy: 'Copy the code',
  close: 'Close the code view',
  same: 'Same as the canvas. Edits are read, never run.',
  takeCanvas: 'Use what the canvas says',
  tooLarge: 'This workflow is too large to be edited as text. Export it as a file instead.',
  copied: 'Copied.',
  exported: 'Exported as {name}.',
  notOne: 'One file at a time: the others were left alone.',
} as const

/** In an editor of a field. */
export const editorWords = { leave: 'Tab indents. Press Escape, then Tab, to go on.' } as const
