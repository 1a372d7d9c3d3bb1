/** Words of what is wrong beside the document. */

export const problemWords = {
  tasks: 'Custom tasks',
  triggerHint: 'Its form says more.',
  toFile: 'Copy the path: {path}',
  showFile: 'Show the file in its folder: {path}',
  copied: 'The path is copied: {path}',
  filesOne: '1 file of custom tasks can’t be used',
  files: '{count} files of custom tasks can’t be used',
  saveAs: 'Save as …',
  pastedHint: 'It was pasted from the clipboard; nothing here was changed.',
  notPasted: 'What is on the clipboard can’t be pasted here',
  notPastedHint: 'Steps that were copied, a workflow as JSON or code, and `curl` commands can be.',
} as const
