"""What reproduce_hdss prints, as tables."""


def read(lines):
    """The first table under each heading: heading -> (column names, rows). Of headings without a table their list."""
    found, heading = {}, None
    for line in lines:
        if line.startswith("### "):
            heading = line[4:].strip()
        elif line.startswith("|") and heading:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if heading not in found:
                found[heading] = (cells, [])
            elif not cells[0].startswith("---"):
                found[heading][1].append(cells)
        elif line.startswith("- ") and heading:
            found.setdefault(heading, (["line"], []))[1].append([line[2:].strip()])
    return found
