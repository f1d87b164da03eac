/** Key under which a reader's choice of theme is kept; absent while it follows the system. */
export const THEME_KEY = 'weft-theme'

/** Runs in `<head>` before the first paint, so that a remembered theme never flashes. */
export const themeScript = `try{var t=localStorage.getItem('${THEME_KEY}');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}`
