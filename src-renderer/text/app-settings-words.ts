/** What the desktop app says of its own settings. */

export const appSettings = {
  title: 'This app',
  notices: 'Tell of runs that end',
  noticesHint: 'By a notice of your system, while no window is in front. Decisions are always told.',
  runNotices: {
    none: 'Never',
    failed: 'When they fail',
    ended: 'Always',
  },
  reopensLastFile: 'Open again what was open',
  reopensLastFileHint: 'Windows come back with their documents when the app starts.',
  keepsRunning: 'Keep the engine running without a window',
  keepsRunningHint:
    'Closing the last window leaves runs and triggers under way. The app’s icon beside the clock brings it back.',
} as const
