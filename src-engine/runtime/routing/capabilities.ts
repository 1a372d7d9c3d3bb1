/** What a runner can do. */

import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { TaskHost } from '../task-host.ts'

/** Its task kinds, and what its settings say beside them; names of abilities have no upper case. */
export const capabilitiesOf = (
  { capabilities }: Pick<EngineSettings, 'capabilities'>,
  host: Pick<TaskHost, 'specsByKind'>,
): readonly string[] => [...host.specsByKind.keys(), ...capabilities.map((name) => name.toLowerCase())]
