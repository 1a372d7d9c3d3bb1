/**
 * The keys of every command, for designer and native menu alike. A chord joins keys with `+`; `Mod` is Ctrl,
 * or Cmd on a Mac. The first chord of a command is the one that buttons name.
 */

const chords: Readonly<Record<string, readonly string[]>> = {
  'file.new': ['Mod+Alt+N'],
  'file.open': ['Mod+O'],
  'file.save': ['Mod+S'],
  'file.saveAs': ['Mod+Shift+S'],
  'edit.undo': ['Mod+Z'],
  'edit.redo': ['Mod+Shift+Z', 'Mod+Y'],
  'edit.cut': ['Mod+X'],
  'edit.copy': ['Mod+C'],
  'edit.paste': ['Mod+V'],
  'edit.duplicate': ['Mod+D'],
  'edit.delete': ['Delete', 'Backspace'],
  'edit.deleteAndHeal': ['Mod+Delete', 'Mod+Backspace'],
  'edit.selectAll': ['Mod+A'],
  'edit.toggleDisabled': ['M'],
  'edit.toggleBypassed': ['B'],
  'edit.rename': ['F2'],
  'edit.intoBody': ['I'],
  'edit.outOfBody': ['Shift+I'],
  'edit.group': ['G'],
  'edit.ungroup': ['Shift+G'],
  'edit.undoOf': ['U'],
  'run.start': ['F5', 'Mod+Enter'],
  'run.startAt': ['Mod+Alt+Enter'],
  'run.push': ['Mod+Alt+P'],
  'run.rehearse': ['Mod+Alt+R'],
  'run.cancel': ['Shift+F5'],
  'run.pause': ['F6'],
  'run.resume': ['Shift+F6'],
  'run.skip': ['Alt+F6'],
  'run.retry': ['Alt+F5'],
  'run.retryFrom': ['Alt+Shift+F5'],
  'run.rerun': ['Mod+Shift+Enter'],
  'run.previousEvent': [','],
  'run.nextEvent': ['.'],
  'canvas.quickAdd': ['A'],
  'canvas.connect': ['C'],
  'canvas.addNote': ['N'],
  'edit.tidy': ['T'],
  'view.zoomToFit': ['Shift+1'],
  'view.zoomToSelection': ['Shift+2'],
  'view.zoomIn': ['Mod+=', '+'],
  'view.zoomOut': ['Mod+-', '-'],
  'view.zoomTo100': ['Mod+0', '0'],
  'view.commandPalette': ['Mod+K'],
  'view.rail': ['Mod+B'],
  'view.inspector': ['Mod+I'],
  'view.bottom': ['Mod+J'],
  'view.problems': ['F8'],
  'view.log': ['Shift+F8'],
  'view.timeline': ['F9'],
  'view.family': ['Shift+F9'],
  'view.rollback': ['Alt+F9'],
  'view.runs': ['F4'],
  'view.files': ['Shift+F4'],
  'view.searchPalette': ['/'],
  'view.toggleTheme': ['Mod+Shift+L'],
  'view.inbox': ['Alt+F8'],
  'view.runners': ['F7'],
  'view.pools': ['Alt+F7'],
  'view.deadLetters': ['Shift+F7'],
  'view.secrets': ['Mod+Alt+K'],
  'view.settings': ['Mod+,'],
  'help.keys': ['?'],
}

/** The chords of a command; none for a command without keys. */
export function keysOf(command: string): readonly string[] {
  return chords[command] ?? []
}

/**
 * The chord that a native menu shows, in Electron's spelling; null where there is none that is safe there:
 * macOS takes a menu's keys before the page, and typing must stay typing.
 */
export function acceleratorOf(command: string): string | null {
  const chord = keysOf(command).find((keys) => keys.startsWith('Mod+') || /(^|\+)F\d+$/.test(keys))
  return chord === undefined ? null : chord.replace('Mod', 'CmdOrCtrl')
}
