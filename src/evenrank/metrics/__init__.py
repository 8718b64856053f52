"""The metrics, one file each; `evenrank.metric` says what one is, `evenrank.catalog` finds them."""
