"""What the page offers: records, fields, paging, embedded data. UI-free and free of any model."""
