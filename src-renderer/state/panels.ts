/** Which panels there are, how large they are, and which of their tabs is in front. */

export type RailTab = 'palette' | 'list' | 'runs' | 'files'
export type InspectorTab = 'input' | 'parameters' | 'settings' | 'undo' | 'run'
export type BottomTab =
  | 'problems'
  | 'log'
  | 'timeline'
  | 'family'
  | 'rollback'
  | 'value'
  | 'rehearsal'
  | 'tests'

/** The map of the canvas: shown while it helps, unless the person decided. */
export type MapChoice = 'auto' | 'shown' | 'hidden'

export interface Panels {
  readonly railTab: RailTab
  readonly inspectorTab: InspectorTab
  readonly bottomTab: BottomTab
  readonly isRailOpen: boolean
  readonly isInspectorOpen: boolean
  readonly isBottomOpen: boolean
  readonly map: MapChoice
  readonly railWidth: number
  readonly inspectorWidth: number
  /** Input, settings and output side by side. */
  readonly isInspectorWide: boolean
  readonly inspectorWideWidth: number
  readonly bottomHeight: number
  /** The code view beside the canvas. */
  readonly isCodeOpen: boolean
  readonly codeForm: 'json' | 'ts'
  readonly codeWidth: number
}

/** Before a person changed anything. */
export const defaultPanels: Panels = {
  railTab: 'palette',
  inspectorTab: 'parameters',
  bottomTab: 'problems',
  isRailOpen: true,
  isInspectorOpen: true,
  isBottomOpen: false,
  map: 'auto',
  railWidth: 248,
  inspectorWidth: 344,
  isInspectorWide: false,
  inspectorWideWidth: 980,
  bottomHeight: 240,
  isCodeOpen: false,
  codeForm: 'ts',
  codeWidth: 460,
}
