/** Where each system keeps the data and the configuration of programs. */

import { join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Place {
  readonly environment: Environment
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The data directory when nobody names one. */
export function dataFolder({ environment, platform, home }: Place): string {
  if (platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Sagasmith')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sagasmith')
  return join(environment['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'sagasmith')
}

/** The config file: `SAGASMITH_CONFIG`, else `config.json` in the system's place for it. */
export function configFile(place: Place): string {
  return place.environment['SAGASMITH_CONFIG'] ?? join(configFolder(place), 'config.json')
}

function configFolder({ environment, platform, home }: Place): string {
  if (platform === 'win32')
    return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Sagasmith')
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', 'Sagasmith')
  return join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'sagasmith')
}
