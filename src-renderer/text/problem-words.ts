/** Words of what is wrong beside the document. */

export const problemWords = {
  tasks: 'Custom tasks',
  triggerHint: 'Its form says more.',
  toFile: 'Copy the path: {path}',
  showFile: 'Show the file in its folder: {path}',
  copied: 'The path is copied: {path}',
  filesOne: '1 file of custom tasks can’t be used',
  files: '{count} files of custom tasks can’t be used',
} as const
